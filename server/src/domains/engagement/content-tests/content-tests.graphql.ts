import { countRows, type EntityRef, type FieldFactory, type Graph, type RowScope } from '../../../gql/index.ts';
import { localized } from '../../../kernel/languages/catalogs.ts';
import type { CatalogTypes } from '../../catalog/index.ts';
import { mayInChannel } from '../../channels/index.ts';
import { END_REASONS, TEST_STATES } from './content-test.ts';
import { mayReadTests, viewersOfTest } from './content-tests.sql.ts';
import { type ExplainedTest, explainTest } from './explain-test.ts';
import { declareVariant, type VariantParts } from './variants.graphql.ts';

interface Parts extends VariantParts {
  readonly catalog: CatalogTypes;
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
  const variantAt = variantIn(Variant);
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
      ...rulesFields(f),
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

/** A variant that the test names in this column. */
function variantIn(Variant: EntityRef) {
  return (column: 'winner' | 'applied', description: string) => ({
    type: Variant,
    nullable: true,
    description,
    on: (child: string, s: RowScope) => `${child}.test_id = ${s.t}.id and ${child}.position = ${s.t}.${column}`,
  });
}

/** How long it runs, and what becomes of the winner. */
function rulesFields(f: FieldFactory) {
  return {
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
  };
}

function described<Name extends string>(table: Readonly<Record<Name, string>>): Record<Name, { description: string }> {
  // The same keys, which Object.fromEntries does not infer.
  return Object.fromEntries(
    Object.entries<string>(table).map(([name, description]) => [name, { description }]),
  ) as Record<Name, { description: string }>;
}
