import { countRows, type EntityRef, type Graph, type RowScope } from '../../../gql/index.ts';
import { localized } from '../../../kernel/languages/catalogs.ts';
import type { CatalogTypes } from '../../catalog/index.ts';
import { type ChannelTypes, mayInChannel } from '../../channels/index.ts';
import { END_REASONS, TEST_STATES, variantLabel } from './content-test.ts';
import { contentOfTest, mayReadTests, rateOfVariant, viewersOfTest } from './content-tests.sql.ts';
import { type ExplainedTest, explainTest } from './explain-test.ts';
import { chancesToBeBest, liftOver } from './sequential-test.ts';

interface Parts {
  readonly channels: ChannelTypes;
  readonly catalog: CatalogTypes;
  readonly ImageAsset: EntityRef;
}

const newest = (child: string) => [`${child}.started_at`, `${child}.id`];

/** Declares ContentTest, and the tests of a content for members of its channel. */
export function declareContentTests(graph: Graph, parts: Parts): EntityRef {
  const Variant = declareVariant(graph, parts);
  const ContentTest = declareTest(graph, parts, Variant);
  graph.extend(parts.catalog.Content, (f) => ({
    test: f.one({
      type: ContentTest,
      nullable: true,
      description:
        'Its running test of titles and images, or else the latest one. Null without one, and unless the viewer is a ' +
        'member of its channel.',
      on: (child, s) => `${child}.content_id = ${s.t}.id and ${mayInChannel(s, `${s.t}.channel_id`, 'analytics:read')}`,
      first: { by: newest },
    }),
    tests: f.connection({
      type: ContentTest,
      nullable: true,
      description: 'Its tests of titles and images, latest first; null unless the viewer is a member of its channel.',
      where: (child, s) => `${child}.content_id = ${s.t}.id`,
      order: newest,
      total: (s) => countRows('content_tests', (row) => `${row}.content_id = ${s.t}.id`),
      visibleIf: (s) => mayInChannel(s, `${s.t}.channel_id`, 'analytics:read'),
    }),
  }));
  return ContentTest;
}

function declareTest(graph: Graph, { channels, catalog }: Parts, Variant: EntityRef): EntityRef {
  const ContentTestState = graph.builder.enumType('ContentTestState', {
    description: 'State of a test.',
    values: described(TEST_STATES),
  });
  const ContentTestEndReason = graph.builder.enumType('ContentTestEndReason', {
    description: 'Why a test ended.',
    values: described(END_REASONS),
  });
  const variantAt = (column: 'winner' | 'applied', description: string) => ({
    type: Variant,
    nullable: true,
    description,
    on: (child: string, s: RowScope) => `${child}.test_id = ${s.t}.id and ${child}.position = ${s.t}.${column}`,
  });
  return graph.entity('ContentTest', {
    description:
      'A test of titles and images: each viewer sees one of the variants on cards, assigned by chance in equal ' +
      'shares, and the clicks are compared by a sequential test. Of 100 tests at most 5 name a winner that is none.',
    table: 'content_tests',
    interfaces: [channels.Node],
    node: { kinds: ['contentTest'], where: (child, s) => mayReadTests(s, `${child}.content_id`) },
    fields: (f) => ({
      id: f.column({
        type: 'DID',
        description: 'Id of the test.',
        sql: (s) => `${s.t}.id`,
        read: ([id]: [string], env) => env.did('contentTest', id),
      }),
      content: f.one({
        type: catalog.Content,
        description: 'The content.',
        on: (child, s) => `${child}.id = ${s.t}.content_id`,
      }),
      state: f.column({ type: ContentTestState, description: 'Its state.', sql: (s) => `${s.t}.state` }),
      endReason: f.column({
        type: ContentTestEndReason,
        nullable: true,
        description: 'Why it ended; null while it runs.',
        sql: (s) => `${s.t}.end_reason`,
      }),
      explanation: f.column({
        type: 'String',
        description: 'The state or the result in a sentence.',
        sql: (s) => [
          `${s.t}.state`,
          `${s.t}.end_reason`,
          `${s.t}.winner`,
          `${s.t}.max_days`,
          viewersOfTest(`${s.t}.id`),
        ],
        read: ([state, reason, winner, maxDays, viewers]: ExplainedTest, { language }) =>
          localized(explainTest({ state, reason, winner, maxDays, viewers }), language),
      }),
      applyWinner: f.column({
        type: 'Boolean',
        description: 'Whether the content gets the title and image of the winner.',
        sql: (s) => `${s.t}.apply_winner`,
      }),
      minDays: f.column({
        type: 'Int',
        description: 'Days until a winner may be named.',
        sql: (s) => `${s.t}.min_days`,
      }),
      maxDays: f.column({
        type: 'Int',
        description: 'Days after which it ends without a winner.',
        sql: (s) => `${s.t}.max_days`,
      }),
      startedAt: f.column({ type: 'DateTime', description: 'When it started.', sql: (s) => `${s.t}.started_at` }),
      endedAt: f.column({
        type: 'DateTime',
        nullable: true,
        description: 'When it ended; null while it runs.',
        sql: (s) => `${s.t}.ended_at`,
      }),
      winner: f.one(variantAt('winner', 'The variant that is clicked more often than every other one; null for none.')),
      applied: f.one(variantAt('applied', 'The variant that the content was given last; null for none.')),
      appliedAt: f.column({
        type: 'DateTime',
        nullable: true,
        description: 'When the content was given that variant.',
        sql: (s) => `${s.t}.applied_at`,
      }),
      variants: f.connection({
        type: Variant,
        description: 'Its two or three variants; A is the content as it was when the test started.',
        where: (child, s) => `${child}.test_id = ${s.t}.id`,
        order: { by: (child) => [`${child}.position`], direction: 'asc' },
        total: (s) => `${s.t}.variants`,
        defaultSize: 3,
      }),
    }),
  });
}

function declareVariant(graph: Graph, { channels, ImageAsset }: Parts): EntityRef {
  type Compared = [position: number, viewers: number[]];
  const compared = (s: RowScope) => [`${s.t}.position`, viewersOfTest(`${s.t}.test_id`)];
  return graph.entity('ContentTestVariant', {
    description: 'A variant of a test, with its numbers. They lag by some seconds, and stay when the test has ended.',
    table: 'content_test_variants',
    interfaces: [channels.Node],
    node: {
      kinds: ['contentTestVariant'],
      where: (child, s) => mayReadTests(s, contentOfTest(`${child}.test_id`)),
    },
    fields: (f) => ({
      id: f.column({
        type: 'DID',
        description: 'Id of the variant.',
        sql: (s) => `${s.t}.id`,
        read: ([id]: [string], env) => env.did('contentTestVariant', id),
      }),
      label: f.column({
        type: 'String',
        description: 'A, B or C; A is the content as it was when the test started.',
        sql: (s) => `${s.t}.position`,
        read: ([position]: [number]) => variantLabel(position),
      }),
      title: f.column({ type: 'String', description: 'The title that it shows.', sql: (s) => `${s.t}.title` }),
      image: f.one({
        type: ImageAsset,
        nullable: true,
        description: 'The image that it shows; null for none, and if it was deleted after the test.',
        on: (child, s) => `${child}.id = ${s.t}.image_id`,
      }),
      impressions: f.column({
        type: 'BigInt',
        description: 'Impressions of cards that showed it, once per page visit.',
        sql: (s) => `${s.t}.impressions`,
      }),
      clicks: f.column({
        type: 'BigInt',
        description: 'Clicks on these cards, once per page visit.',
        sql: (s) => `${s.t}.clicks`,
      }),
      clickThroughRate: f.column({
        type: 'Float',
        nullable: true,
        description: 'Clicks per impression; null without impressions.',
        sql: (s) => rateOfVariant(s.t),
      }),
      viewersClicked: f.column({
        type: 'BigInt',
        description: 'Viewers who clicked it, each counted once. The comparison rests on these.',
        sql: (s) => `${s.t}.viewers`,
      }),
      lift: f.column({
        type: 'Float',
        nullable: true,
        description:
          'How much more viewers clicked it than A: 0.2 is 1.2 times as many. Null for A, and without clicks on A.',
        sql: compared,
        read: ([position, viewers]: Compared) => (position === 0 ? null : liftOver(viewers, position).measured),
      }),
      liftLow: f.column({
        type: 'Float',
        nullable: true,
        description:
          'Lower end of the interval of the lift. All intervals of a test contain the true lift with a probability ' +
          'of 95 %, however often they are looked at. Null for A.',
        sql: compared,
        read: ([position, viewers]: Compared) => (position === 0 ? null : liftOver(viewers, position).low),
      }),
      liftHigh: f.column({
        type: 'Float',
        nullable: true,
        description: 'Upper end of that interval. Null for A, and if it has no upper end yet.',
        sql: compared,
        read: ([position, viewers]: Compared) => (position === 0 ? null : liftOver(viewers, position).high),
      }),
      chanceToBeBest: f.column({
        type: 'Float',
        description: 'The probability, 0 to 1, that it is clicked most often, from the clicks so far.',
        sql: compared,
        read: ([position, viewers]: Compared) => chancesToBeBest(viewers)[position],
      }),
    }),
  });
}

function described<Name extends string>(table: Readonly<Record<Name, string>>): Record<Name, { description: string }> {
  // The same keys, which Object.fromEntries does not infer.
  return Object.fromEntries(
    Object.entries<string>(table).map(([name, description]) => [name, { description }]),
  ) as Record<Name, { description: string }>;
}
