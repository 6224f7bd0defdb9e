import { type ArgBuilder, CHANGES_HELP, changeInputFields, type EntityRef, type Graph, newInputFields } from '../../../gql/index.ts';
import { deletions } from '../../../kernel/key-budgets.ts';
import { type AssetTypes, CAPTIONS_FIELDS } from '../../assets/index.ts';
import { createContentCaptions, deleteContentCaptions, updateContentCaptions } from './captions-commands.ts';

const { label } = CAPTIONS_FIELDS;
const NEW_CAPTIONS_FIELDS = {
  ...CAPTIONS_FIELDS,
  label: { ...label, inputDescription: `${label.inputDescription} Defaults to the language in its own words.` },
};

/** Declares the captions of every type of content, and the mutations on them. */
export function declareContentCaptions(graph: Graph, { Captions }: Pick<AssetTypes, 'Captions'>, types: readonly EntityRef[]): void {
  for (const type of types) {
    graph.extend(type, (f) => ({
      captions: f.connection({
        type: Captions,
        description:
          'Texts that are shown with it, in the order they were added; players offer them in its stream. Those found in the video file are among them.',
        where: (child, s) => `${child}.content_id = ${s.t}.id`,
        order: { by: (child) => [`${child}.created_at`, `${child}.id`], direction: 'asc' },
        // By index: a content has at most 58.
        total: (s) => `(select count(*) from captions n where n.content_id = ${s.t}.id)`,
      }),
    }));
  }
  const CreateInput = graph.builder.inputType('CreateContentCaptionsInput', {
    description: 'New captions.',
    fields: (t) => newInputFields(t, NEW_CAPTIONS_FIELDS, { optional: ['label'] }),
  });
  const UpdateInput = graph.builder.inputType('UpdateContentCaptionsInput', {
    description: `Changes to captions. ${CHANGES_HELP}`,
    fields: (t) => changeInputFields(t, CAPTIONS_FIELDS),
  });
  const id = (t: ArgBuilder, of: string) => t.field({ type: 'DID', required: true, description: `Identifier of the ${of}.` });
  graph.mutation('createContentCaptions', {
    access: 'asset:upload',
    description: 'Adds captions to a content of your own. They appear in its stream within a minute, without another encoding.',
    payload: Captions,
    args: (t: ArgBuilder) => ({
      id: id(t, 'content'),
      input: t.field({ type: CreateInput, required: true, description: 'The captions.' }),
    }),
    statement: createContentCaptions,
  });
  graph.mutation('updateContentCaptions', {
    access: 'asset:upload',
    description: 'Changes captions of a content of your own.',
    payload: Captions,
    args: (t: ArgBuilder) => ({
      id: id(t, 'captions'),
      input: t.field({ type: UpdateInput, required: true, description: 'What to change.' }),
    }),
    statement: updateContentCaptions,
  });
  graph.mutation('deleteContentCaptions', {
    access: 'asset:upload',
    spends: () => deletions(1),
    description: 'Removes captions of a content of your own.',
    payload: graph.object('DeleteContentCaptionsPayload', {
      description: 'What was removed.',
      fields: (f) => ({ id: f.value({ type: 'DID', description: 'Identifier of the captions.' }) }),
    }),
    args: (t: ArgBuilder) => ({ id: id(t, 'captions') }),
    statement: deleteContentCaptions,
  });
}
