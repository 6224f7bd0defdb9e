import { type ArgShape, countRows, type EntityRef, type FieldCost, type Graph } from '../../../gql/index.ts';
import { mayInChannel } from '../../channels/index.ts';
import { awaitsReply, isInInbox } from './channel-comments.sql.ts';

/** Maximum count of a list that is counted by reading it. */
const MOST_COUNTED = 10_000;

const FILTERS = {
  ALL: 'Published and held comments.',
  UNANSWERED: 'Published comments of others than members of the channel, to which no member has replied directly.',
  HELD: 'Comments held for review.',
} as const;

/** Comments are read until a page of unanswered ones is found. */
const COST: FieldCost = [
  { points: 60, if: { applies: (args) => filterOf(args) === 'UNANSWERED', when: 'with UNANSWERED' } },
];

/** Declares the comments on all contents of a channel, for its moderators. */
export function declareChannelComments(
  graph: Graph,
  { Channel, Comment }: Record<'Channel' | 'Comment', EntityRef>,
): void {
  const ChannelCommentFilter = graph.builder.enumType('ChannelCommentFilter', {
    description: 'Which comments of a channel are listed.',
    values: Object.fromEntries(Object.entries(FILTERS).map(([name, description]) => [name, { description }])) as Record<
      keyof typeof FILTERS,
      { description: string }
    >, // fromEntries widens the keys
  });
  graph.extend(Channel, (f) => ({
    comments: f.connection({
      type: Comment,
      nullable: true,
      description:
        'Comments and replies on all contents of the channel, newest first; null unless the viewer moderates it. ' +
        `totalCount counts up to ${MOST_COUNTED.toLocaleString('en')}.`,
      args: (t) => ({
        filter: t.field({
          type: ChannelCommentFilter,
          required: true,
          defaultValue: 'ALL',
          description: 'Which comments.',
        }),
      }),
      cost: COST,
      where: (child, s, args) => conditionOf(child, `${s.t}.id`, args),
      order: (child) => [`${child}.created_at`, `${child}.id`],
      total: (s, args) =>
        filterOf(args) === 'HELD'
          ? `counter_value('channel:held', ${s.t}.id)`
          : countRows('comments', (row) => conditionOf(row, `${s.t}.id`, args), MOST_COUNTED),
      visibleIf: (s) => mayInChannel(s, `${s.t}.id`, 'comment:moderate'),
    }),
  }));
}

function filterOf(args: ArgShape): keyof typeof FILTERS {
  return args.literal('filter') as keyof typeof FILTERS; // an enum of these names
}

function conditionOf(child: string, channelId: string, args: ArgShape): string {
  const filter = filterOf(args);
  const which = { ALL: isInInbox(child), UNANSWERED: awaitsReply(child), HELD: `${child}.status = 'HELD'` }[filter];
  return `${child}.channel_id = ${channelId} and ${child}.deleted_at is null and ${which}`;
}
