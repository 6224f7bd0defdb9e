import {
  type ArgBuilder,
  CHANGES_HELP,
  changeInputFields,
  countRows,
  type EntityRef,
  type Graph,
  ifRevisionField,
  newInputFields,
} from '../../../gql/index.ts';
import { deletions, processing } from '../../../kernel/key-budgets.ts';
import { type AssetTypes, CAPTIONS_FIELDS } from '../../assets/index.ts';
import { requireAccount } from '../../channels/index.ts';
import { declareWaveform } from '../../transcode/index.ts';
import { CONTENT_CHANGE } from '../contents/content.policy.ts';
import { readContentId } from '../contents/content-commands.ts';
import { actorOf } from '../services.ts';
import { createContentCaptions, deleteContentCaptions, updateContentCaptions } from './captions-commands.ts';
import { createContentWaveform } from './create-waveform.ts';

const { label } = CAPTIONS_FIELDS;
const NEW_CAPTIONS_FIELDS = {
  ...CAPTIONS_FIELDS,
  label: {
    ...label,
    inputDescription: `${label.inputDescription} Default: the name of the language in that language.`,
  },
};

/** Declares the captions of contents, and the mutations on them. */
export function declareContentCaptions(
  graph: Graph,
  { Captions }: Pick<AssetTypes, 'Captions'>,
  Content: EntityRef,
): void {
  graph.extend(Content, (f) => ({
    captions: f.connection({
      type: Captions,
      description:
        'Its captions in the order they were added, including those ' +
        'found in the video file; players offer them in its stream.',
      where: (child, s) => `${child}.content_id = ${s.t}.id`,
      order: { by: (child) => [`${child}.created_at`, `${child}.id`], direction: 'asc' },
      // By index: a content has at most 58.
      total: (s) => countRows('captions', (row) => `${row}.content_id = ${s.t}.id`),
    }),
  }));
  declareWaveformMutation(graph, Content);
  const CreateInput = graph.builder.inputType('CreateContentCaptionsInput', {
    description: 'New captions.',
    fields: (t) => newInputFields(t, NEW_CAPTIONS_FIELDS, { optional: ['label'] }),
  });
  const UpdateInput = graph.builder.inputType('UpdateContentCaptionsInput', {
    description: `Changes to captions. ${CHANGES_HELP}`,
    fields: (t) => ({
      ...changeInputFields(t, CAPTIONS_FIELDS),
      ifVersion: t.int({
        description:
          'version of the captions that the changes are based on: they are refused if the text has changed since. ' +
          'Default: any.',
      }),
      ifRevision: ifRevisionField(t, 'the captions'),
    }),
  });
  const id = (t: ArgBuilder, of: string) => t.field({ type: 'DID', required: true, description: `Id of the ${of}.` });
  graph.mutation('createContentCaptions', {
    access: 'asset:upload',
    description:
      'Adds captions to a content of yours. They appear in its stream within a minute, without another encoding.',
    payload: (f) => ({
      captions: f.read({ type: Captions, description: 'The captions.' }),
      content: f.read({ type: Content, description: 'The content.' }),
    }),
    args: (t: ArgBuilder) => ({
      id: id(t, 'content'),
      input: t.field({ type: CreateInput, required: true, description: 'The captions.' }),
    }),
    statement: createContentCaptions,
  });
  graph.mutation('updateContentCaptions', {
    access: 'asset:upload',
    description: 'Updates captions of a content of yours.',
    payload: (f) => ({ captions: f.read({ type: Captions, description: 'The captions.' }) }),
    args: (t: ArgBuilder) => ({
      id: id(t, 'captions'),
      input: t.field({ type: UpdateInput, required: true, description: 'The changes.' }),
    }),
    statement: updateContentCaptions,
  });
  graph.mutation('deleteContentCaptions', {
    access: 'asset:upload',
    charges: () => deletions(1),
    description: 'Deletes captions of a content of yours.',
    payload: (f) => ({
      id: f.value({ type: 'DID', description: 'Id of the captions.' }),
      content: f.read({ type: Content, description: 'The content.' }),
    }),
    args: (t: ArgBuilder) => ({ id: id(t, 'captions') }),
    statement: deleteContentCaptions,
  });
}

function declareWaveformMutation(graph: Graph, Content: EntityRef): void {
  declareWaveform(graph, Content);
  graph.mutation('createContentWaveform', {
    access: 'asset:upload',
    policies: [CONTENT_CHANGE],
    charges: processing,
    description:
      'Has the waveform of the sound of a processed video of yours made, for editors of captions. ' +
      'Content.waveform has it some seconds later; repeating it makes it again only where that failed.',
    payload: (f) => ({ content: f.read({ type: Content, description: 'The content.' }) }),
    args: (t: ArgBuilder) => ({ id: t.field({ type: 'DID', required: true, description: 'Id of the content.' }) }),
    command: async (context, { id }) => {
      const content = readContentId(context, id, 'id');
      return createContentWaveform(context.services.catalog, actorOf(requireAccount(context)), content);
    },
  });
}
