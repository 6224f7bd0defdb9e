import type { ArgBuilder, FieldDeclaration, FieldFactory, Graph, InputRef } from '../../../gql/index.ts';
import { deletions, publications } from '../../../kernel/key-budgets.ts';
import type { BatchTypes } from '../batches/batch.graphql.ts';
import { MAX_BATCH, resultsIn } from '../batches/batch.ts';
import { CONTENT_ACTIONS } from '../contents/content.policy.ts';
import type { UpdateContentArgs } from '../contents/content-commands.ts';
import type { ContentEnums } from '../contents/content-enums.graphql.ts';
import { deleteContents, publishContents, updateContents } from './change-contents.ts';

const IDS = `Ids of contents, each once; 1 to ${MAX_BATCH}.`;

export const WHEN_READY_HELP =
  'Whether a content that is a DRAFT or PROCESSING is published as soon as its video is ready, and not before ' +
  'releaseDate; unpublishContent cancels that. Default false: it is an error.';

export const PUBLISHED_FOR_HELP =
  'Who can see it, stored together with the publication: a refused call changes neither. With it, a content that is ' +
  'published already gets this visibility, and a releaseDate in the future unpublishes it until then. Default: ' +
  'unchanged.';

/** Declares the mutations on many contents. */
export function declareContentBatches(
  graph: Graph,
  { batch: { BatchResult }, enums: { Visibility } }: { readonly batch: BatchTypes; readonly enums: ContentEnums },
  UpdateContentInput: InputRef<UpdateContentArgs['input']>,
): void {
  const payload = resultsOf(BatchResult);
  declarePublishContents(graph, payload, Visibility);
  graph.mutation('deleteContents', {
    access: 'content:delete',
    policies: [CONTENT_ACTIONS.delete],
    charges: ({ ids }) => deletions(ids.length),
    description: 'Deletes contents like deleteContent. Each has its own result.',
    payload,
    args: (t: ArgBuilder) => ({ ids: t.field({ type: ['DID'], required: true, description: IDS }) }),
    command: async (context, { ids }) => ({
      results: resultsIn(await deleteContents(context, ids), context.language),
    }),
  });
  declareUpdateContents(graph, payload, UpdateContentInput);
}

type Payload = (f: FieldFactory) => Record<string, FieldDeclaration>;

function resultsOf(BatchResult: BatchTypes['BatchResult']): Payload {
  return (f: FieldFactory) => ({
    results: f.value({ type: [BatchResult], description: 'One result for each content, in the order of the input.' }),
  });
}

function declarePublishContents(graph: Graph, payload: Payload, Visibility: ContentEnums['Visibility']): void {
  const PublishContentsInput = graph.builder.inputType('PublishContentsInput', {
    description: 'When contents are published, and for whom.',
    fields: (t) => ({
      releaseDate: t.field({
        type: 'DateTime',
        description:
          'When to publish them, at most five years ahead; at once if omitted. A past date is INVALID_INPUT.',
      }),
      whenReady: t.boolean({ description: WHEN_READY_HELP }),
      visibility: t.field({ type: Visibility, description: PUBLISHED_FOR_HELP }),
    }),
  });
  graph.mutation('publishContents', {
    access: 'content:publish',
    policies: [CONTENT_ACTIONS.publish],
    charges: ({ ids }) => publications(ids.length),
    description:
      'Publishes contents like publishContent. Each has its own result; ' +
      'contents that cannot be published do not affect the others.',
    payload,
    args: (t: ArgBuilder) => ({
      ids: t.field({ type: ['DID'], required: true, description: IDS }),
      input: t.field({ type: PublishContentsInput, description: 'When, and for whom; default: at once.' }),
    }),
    command: async (context, { ids, input }) => ({
      results: resultsIn(await publishContents(context, ids, input ?? {}), context.language),
    }),
  });
}

function declareUpdateContents(
  graph: Graph,
  payload: Payload,
  UpdateContentInput: InputRef<UpdateContentArgs['input']>,
): void {
  const UpdateContentsInput = declareUpdateInput(graph, UpdateContentInput);
  graph.mutation('updateContents', {
    access: 'content:update',
    policies: [CONTENT_ACTIONS.update],
    description:
      'Updates contents like updateContent, each with its own changes, or with entries to add to and remove from ' +
      'its lists. Each has its own result.',
    payload,
    args: (t: ArgBuilder) => ({
      input: t.field({ type: UpdateContentsInput, required: true, description: 'The contents.' }),
    }),
    command: async (context, { input }) => ({
      results: resultsIn(await updateContents(context, input.items), context.language),
    }),
  });
}

function declareUpdateInput(graph: Graph, UpdateContentInput: InputRef<UpdateContentArgs['input']>) {
  const ContentListsInput = graph.builder.inputType('ContentListsInput', {
    description: 'Entries of lists of a content.',
    fields: (t) => ({
      categories: t.field({ type: ['DID'], description: 'Ids of categories.' }),
      genres: t.field({ type: ['DID'], description: 'Ids of genres.' }),
      keywords: t.stringList({ description: 'Keywords, in upper or lower case.' }),
    }),
  });
  const ContentChangesInput = graph.builder.inputType('ContentChangesInput', {
    description: 'A content and its changes: at least one of changes, add and remove.',
    fields: (t) => ({
      id: t.field({ type: 'DID', required: true, description: 'Id of the content.' }),
      changes: t.field({ type: UpdateContentInput, description: 'Values that replace those it has.' }),
      add: t.field({
        type: ContentListsInput,
        description:
          'What is added at the end of its lists, unless it is there. A list that would become too long is ' +
          'INVALID_INPUT, and the content stays as it is.',
      }),
      remove: t.field({ type: ContentListsInput, description: 'What is removed from its lists, if it is there.' }),
    }),
  });
  return graph.builder.inputType('UpdateContentsInput', {
    description: 'Contents and their changes.',
    fields: (t) => ({
      items: t.field({
        type: [ContentChangesInput],
        required: true,
        description: `The contents, each once; 1 to ${MAX_BATCH}.`,
      }),
    }),
  });
}
