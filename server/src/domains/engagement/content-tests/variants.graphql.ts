import type { EntityRef, FieldFactory, Graph, RowScope } from '../../../gql/index.ts';
import type { ChannelTypes } from '../../channels/index.ts';
import { variantLabel } from './content-test.ts';
import { contentOfTest, mayReadTests, rateOfVariant, viewersOfTest } from './content-tests.sql.ts';
import { chancesToBeBest, liftOver } from './sequential-test.ts';

/** Types that variants refer to. */
export interface VariantParts {
  readonly channels: ChannelTypes;
  readonly ImageAsset: EntityRef;
}

/** Declares ContentTestVariant. */
export function declareVariant(graph: Graph, { channels, ImageAsset }: VariantParts): EntityRef {
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
      ...clickFields(f),
      ...comparisonFields(f),
    }),
  });
}

/** What was counted. */
function clickFields(f: FieldFactory) {
  return {
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
  };
}

/** Columns of the comparison with the other variants. */
type Compared = [position: number, viewers: number[]];

function compared(s: RowScope): string[] {
  return [`${s.t}.position`, viewersOfTest(`${s.t}.test_id`)];
}

/** How it compares with the other variants. */
function comparisonFields(f: FieldFactory) {
  return {
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
  };
}
