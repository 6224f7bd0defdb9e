import type { ArgBuilder, EntityRef, Graph } from '../../../gql/index.ts';
import { deletions } from '../../../kernel/key-budgets.ts';
import type { AssetTypes } from '../../assets/index.ts';
import { createContentCaptions, deleteContentCaptions, MAX_LABEL, updateContentCaptions } from './captions-commands.ts';

const HELP = {
  label: `Label that viewers choose them by, 1 to ${MAX_LABEL} characters; default for new ones: the name of the language.`,
  kind: 'Kind of captions; default SUBTITLES for new ones.',
  isDefault: 'Whether they are shown by default; at most one per content.',
  text: 'The whole SubRip (.srt) or WebVTT (.vtt) file, at most 512 KiB. Bold, italic and underlined text is kept, other markup is not.',
} as const;

/** Declares the captions of every type of content, and the mutations on them. */
export function declareContentCaptions(
  graph: Graph,
  { Captions, CaptionsKind }: Pick<AssetTypes, 'Captions' | 'CaptionsKind'>,
  types: readonly EntityRef[],
): void {
  for (const type of types) {
    graph.extend(type, (f) => ({
      captions: f.connection({
        type: Captions,
        description:
          'Its captions in the order they were added, including those found in the video file; players offer them in its stream.',
        where: (child, s) => `${child}.content_id = ${s.t}.id`,
        order: { by: (child) => [`${child}.created_at`, `${child}.id`], direction: 'asc' },
        // By index: a content has at most 58.
        total: (s) => `(select count(*) from captions n where n.content_id = ${s.t}.id)`,
      }),
    }));
  }
  const CreateInput = graph.builder.inputType('CreateContentCaptionsInput', {
    description: 'New captions.',
    fields: (t) => ({
      language: t.string({ required: true, description: 'Their language, as a BCP 47 tag such as en or pt-BR.' }),
      text: t.string({ required: true, description: HELP.text }),
      label: t.string({ description: HELP.label }),
      kind: t.field({ type: CaptionsKind, description: HELP.kind }),
      isDefault: t.boolean({ description: HELP.isDefault }),
    }),
  });
  const UpdateInput = graph.builder.inputType('UpdateContentCaptionsInput', {
    description: 'Changes to captions; omitted or null fields keep their value.',
    fields: (t) => ({
      language: t.string({ description: 'Their language, as a BCP 47 tag such as en or pt-BR.' }),
      text: t.string({ description: `${HELP.text} Replaces all; the addresses of the files change.` }),
      label: t.string({ description: HELP.label }),
      kind: t.field({ type: CaptionsKind, description: HELP.kind }),
      isDefault: t.boolean({ description: HELP.isDefault }),
    }),
  });
  const id = (t: ArgBuilder, of: string) => t.field({ type: 'DID', required: true, description: `Id of the ${of}.` });
  graph.mutation('createContentCaptions', {
    access: 'asset:upload',
    description: 'Adds captions to a content of yours. They appear in its stream within a minute, without another encoding.',
    payload: Captions,
    args: (t: ArgBuilder) => ({
      id: id(t, 'content'),
      input: t.field({ type: CreateInput, required: true, description: 'The captions.' }),
    }),
    statement: createContentCaptions,
  });
  graph.mutation('updateContentCaptions', {
    access: 'asset:upload',
    description: 'Updates captions of a content of yours.',
    payload: Captions,
    args: (t: ArgBuilder) => ({
      id: id(t, 'captions'),
      input: t.field({ type: UpdateInput, required: true, description: 'The changes.' }),
    }),
    statement: updateContentCaptions,
  });
  graph.mutation('deleteContentCaptions', {
    access: 'asset:upload',
    spends: () => deletions(1),
    description: 'Deletes captions of a content of yours.',
    payload: graph.object('DeleteContentCaptionsPayload', {
      description: 'The deleted captions.',
      fields: (f) => ({ id: f.value({ type: 'DID', description: 'Id of the captions.' }) }),
    }),
    args: (t: ArgBuilder) => ({ id: id(t, 'captions') }),
    statement: deleteContentCaptions,
  });
}
