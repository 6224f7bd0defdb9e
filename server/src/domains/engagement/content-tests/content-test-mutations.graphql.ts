import type { ArgBuilder, EntityRef, Graph } from '../../../gql/index.ts';
import { CONTENT_CHANGE, readContentId } from '../../catalog/index.ts';
import { DEFAULT_MAX_DAYS, DEFAULT_MIN_DAYS, MAX_TEST_DAYS } from './content-test.ts';
import { applyVariant, stopTest } from './finish-test.ts';
import { readTest, startTest } from './start-test.ts';

/** Declares the mutations that start and end tests of titles and images. */
export function declareContentTestMutations(graph: Graph, Content: EntityRef, ContentTest: EntityRef): void {
  const StartContentTestInput = declareInput(graph);
  const contentId = (t: ArgBuilder) => t.field({ type: 'DID', required: true, description: 'Id of the content.' });
  graph.mutation('startContentTest', {
    access: 'content:update',
    policies: [CONTENT_CHANGE],
    description:
      'Tests other titles and images of a published, public content of yours against those it has, on its viewers: ' +
      'each sees the same variant on all cards. A content has one running test. It ends with a winner, after ' +
      'maxDays, when it is stopped, or when the content changes or is no longer public; content.test_finished ' +
      'reports it.',
    payload: (f) => ({ test: f.read({ type: ContentTest, description: 'The test.' }) }),
    args: (t: ArgBuilder) => ({
      id: contentId(t),
      input: t.field({ type: StartContentTestInput, required: true, description: 'The variants.' }),
    }),
    command: async (context, { id, input }) =>
      startTest(context.services.engagement, context.scope, readContentId(context, id, 'id'), readTest(context, input)),
  });
  graph.mutation('stopContentTest', {
    access: 'content:update',
    policies: [CONTENT_CHANGE],
    description: 'Stops the running test of a content of yours. Viewers see the content as it is; the numbers stay.',
    payload: (f) => ({ test: f.read({ type: ContentTest, description: 'The test.' }) }),
    args: (t: ArgBuilder) => ({ id: contentId(t) }),
    command: async (context, { id }) =>
      stopTest(context.services.engagement, context.scope, readContentId(context, id, 'id')),
  });
  const ApplyContentTestVariantInput = graph.builder.inputType('ApplyContentTestVariantInput', {
    description: 'A variant of a test.',
    fields: (t) => ({ variant: t.field({ type: 'DID', required: true, description: 'Id of the variant.' }) }),
  });
  graph.mutation('applyContentTestVariant', {
    access: 'content:update',
    policies: [CONTENT_CHANGE],
    description:
      'Gives a content of yours the title and image of a variant, of its running or an earlier test. A running test ' +
      'is stopped.',
    payload: (f) => ({ content: f.read({ type: Content, description: 'The content.' }) }),
    args: (t: ArgBuilder) => ({
      id: contentId(t),
      input: t.field({ type: ApplyContentTestVariantInput, required: true, description: 'The variant.' }),
    }),
    command: async (context, { id, input }) => {
      const content = readContentId(context, id, 'id');
      const { id: variantId } = context.parseDid(input.variant, ['contentTestVariant'], 'input.variant');
      await applyVariant(context.services.engagement, context.scope, content, variantId);
      return content.id;
    },
  });
}

function declareInput(graph: Graph) {
  const ContentTestVariantInput = graph.builder.inputType('ContentTestVariantInput', {
    description: 'Another title, another image, or both.',
    fields: (t) => ({
      title: t.string({ description: 'Title, 1 to 200 characters; by default the one of the content.' }),
      imageId: t.field({
        type: 'DID',
        description:
          'Id of one of content.assets.images; by default the image that its cards show. Upload images for a test ' +
          'with the hint OTHER, which does not replace others.',
      }),
    }),
  });
  return graph.builder.inputType('StartContentTestInput', {
    description: 'A test of titles and images.',
    fields: (t) => ({
      variants: t.field({
        type: [ContentTestVariantInput],
        required: true,
        description: 'One or two variants, B and C; A is the content as it is.',
      }),
      applyWinner: t.boolean({
        required: true,
        description: 'Whether the content gets the title and image of the winner at once.',
      }),
      minDays: t.int({
        description: `Days until a winner may be named, 1 to maxDays; ${DEFAULT_MIN_DAYS} by default.`,
      }),
      maxDays: t.int({
        description:
          `Days after which the test ends without a winner, 1 to ${MAX_TEST_DAYS}; ` +
          `${DEFAULT_MAX_DAYS} by default.`,
      }),
    }),
  });
}
