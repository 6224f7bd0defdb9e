import {
  type ArgScope,
  type ArgShape,
  countRows,
  type EntityRef,
  type FieldCost,
  type Graph,
} from '../../../gql/index.ts';
import { readText } from '../../../kernel/text.ts';
import { type ChannelTypes, isMember } from '../../channels/index.ts';
import { contentsWithCounter, keptOf, titleContains, titleOrder } from './channel-contents.sql.ts';
import type { ContentEnums } from './content-enums.graphql.ts';

/** Maximum count of a list that is counted by reading it. */
const MOST_COUNTED = 10_000;
const MAX_QUERY = 200;

interface Order {
  /** A counter by content, a column, or the title. */
  readonly by: { readonly counter: string } | 'created_at' | 'title';
  readonly direction: 'asc' | 'desc';
  readonly is: string;
}

/** Orders of a channel's contents. */
const SORTS = {
  NEWEST: { by: 'created_at', direction: 'desc', is: 'Latest creation first.' },
  OLDEST: { by: 'created_at', direction: 'asc', is: 'Earliest creation first.' },
  TITLE: { by: 'title', direction: 'asc', is: 'By title, ignoring case and accents.' },
  TITLE_REVERSED: { by: 'title', direction: 'desc', is: 'By title from the end of the alphabet.' },
  MOST_VIEWED: { by: { counter: 'content:views' }, direction: 'desc', is: 'Most views first.' },
  LEAST_VIEWED: { by: { counter: 'content:views' }, direction: 'asc', is: 'Fewest views first.' },
  MOST_COMMENTED: { by: { counter: 'content:comments' }, direction: 'desc', is: 'Most published comments first.' },
  LEAST_COMMENTED: { by: { counter: 'content:comments' }, direction: 'asc', is: 'Fewest published comments first.' },
  MOST_LIKED: { by: { counter: 'content:likes' }, direction: 'desc', is: 'Most likes first.' },
  LEAST_LIKED: { by: { counter: 'content:likes' }, direction: 'asc', is: 'Fewest likes first.' },
} as const satisfies Record<string, Order>;
type Sort = keyof typeof SORTS;

/** Contents of the channel are read to the end to find some, or the first by a number. */
const COST: FieldCost = [
  { points: 60, if: { applies: isCounting, when: 'sorted by views, comments or likes' } },
  {
    points: 25,
    if: { applies: (args) => isFiltered(args) && !isCounting(args), when: 'otherwise with visibilities or a query' },
  },
];

/** Declares the contents of a channel, in every state, for its members. */
export function declareChannelContents(
  graph: Graph,
  { Channel }: ChannelTypes,
  Content: EntityRef,
  { ContentKind, ContentStatus, Visibility }: ContentEnums,
): void {
  const ChannelContentSort = graph.builder.enumType('ChannelContentSort', {
    description: "The order of a channel's contents in every state.",
    values: Object.fromEntries(Object.entries(SORTS).map(([name, { is }]) => [name, { description: is }])) as Record<
      Sort,
      { description: string }
    >, // fromEntries widens the keys
  });
  graph.extend(Channel, (f) => ({
    contents: f.connection({
      type: Content,
      nullable: true,
      description:
        'Contents of the channel in every state; null unless the viewer is a member. totalCount is exact with kinds ' +
        `and statuses, and counts up to ${MOST_COUNTED.toLocaleString('en')} with other filters. A cursor is valid ` +
        'for the order it was created in.',
      args: (t) => ({
        kinds: t.field({ type: [ContentKind], description: 'Only contents of these kinds.' }),
        statuses: t.field({ type: [ContentStatus], description: 'Only contents in these states.' }),
        visibilities: t.field({ type: [Visibility], description: 'Only contents with these visibilities.' }),
        query: t.string({
          description:
            'Only contents whose title contains this, ignoring case and accents; ' + `at most ${MAX_QUERY} characters.`,
        }),
        sort: t.field({ type: ChannelContentSort, required: true, defaultValue: 'NEWEST', description: 'The order.' }),
      }),
      cost: COST,
      from: (_, args) => {
        const { by } = orderOf(args);
        return typeof by === 'object' ? contentsWithCounter(by.counter) : 'contents';
      },
      where: (child, s, args) => conditions(child, `${s.t}.id`, args),
      order: {
        by: (child, args) => [orderColumn(child, orderOf(args)), `${child}.id`],
        direction: (args) => orderOf(args).direction,
      },
      total: (s, args) =>
        isFiltered(args)
          ? countRows('contents', (row) => conditions(row, `${s.t}.id`, args), MOST_COUNTED)
          : keptOf(`${s.t}.id`, given(args, 'kinds'), given(args, 'statuses')),
      visibleIf: (s) => isMember(s, `${s.t}.id`),
    }),
  }));
}

function orderOf(args: ArgShape): Order {
  return SORTS[args.literal('sort') as Sort]; // an enum of these names
}

function orderColumn(child: string, { by }: Order): string {
  if (typeof by === 'object') return `${child}.sorted_by`;
  return by === 'title' ? titleOrder(child) : `${child}.created_at`;
}

function isCounting(args: ArgShape): boolean {
  return typeof orderOf(args).by === 'object';
}

function isFiltered(args: ArgShape): boolean {
  return args.given('visibilities') || args.given('query');
}

/** A list argument, or null. */
function given(args: ArgScope, name: 'kinds' | 'statuses' | 'visibilities'): string | null {
  return args.given(name) ? args.param(name, 'text[]') : null;
}

function conditions(child: string, channelId: string, args: ArgScope): string {
  const among = [
    ['kind', given(args, 'kinds')],
    ['status', given(args, 'statuses')],
    ['visibility', given(args, 'visibilities')],
  ] as const;
  const read = (text: unknown, field: string) =>
    readText(String(text), { field, maxLength: MAX_QUERY, required: true });
  return [
    `${child}.channel_id = ${channelId} and ${child}.deleted_at is null`,
    ...among.flatMap(([column, values]) => (values === null ? [] : `${child}.${column} = any(${values})`)),
    ...(args.given('query') ? [titleContains(child, args.read('query', read, 'text'))] : []),
  ].join(' and ');
}
