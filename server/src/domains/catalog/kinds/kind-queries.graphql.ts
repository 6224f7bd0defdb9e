import type { EntityRef, Graph } from '../../../gql/index.ts';
import { CONTENT_KIND_NAMES, CONTENT_KINDS, type ContentKind } from '../../../kernel/content-kinds.ts';
import type { ChannelTypes } from '../../channels/index.ts';
import { isVisibleContent } from '../contents/content-visibility.sql.ts';
import type { KindTypes } from './kind-types.graphql.ts';

const EVERY_CHANNEL = '00000000-0000-0000-0000-000000000000';

/** Singular and plural of each kind, in the API and in descriptions. */
const NAMES: Readonly<Record<ContentKind, { one: string; many: string; a: string; all: string }>> = {
  FEATURE: { one: 'feature', many: 'features', a: 'A feature', all: 'features' },
  SHORT: { one: 'short', many: 'shorts', a: 'A short', all: 'shorts' },
  SERIES: { one: 'serie', many: 'series', a: 'A series', all: 'series' },
  SEASON: { one: 'season', many: 'seasons', a: 'A season', all: 'seasons' },
  EPISODE: { one: 'episode', many: 'episodes', a: 'An episode', all: 'episodes' },
  MINISERIES: { one: 'miniserie', many: 'miniseries', a: 'A miniseries', all: 'miniseries' },
  STREAM: { one: 'stream', many: 'streams', a: 'A stream', all: 'streams' },
};

/** Declares for each kind: the query by identifier, the list of all channels and the list of one channel. */
export function declareKindQueries(graph: Graph, { Channel }: ChannelTypes, types: KindTypes): void {
  for (const kind of CONTENT_KIND_NAMES)
    declareQueriesOf(graph, Channel, types[CONTENT_KINDS[kind].type], kind, NAMES[kind]);
}

/** Kinds with a parent. */
const NESTED: ReadonlySet<ContentKind> = new Set<ContentKind>(['SEASON', 'EPISODE']);
const newestPublished = (child: string) => [`${child}.published_at`, `${child}.id`];

function declareQueriesOf(
  graph: Graph,
  Channel: EntityRef,
  type: EntityRef,
  kind: ContentKind,
  names: (typeof NAMES)[ContentKind],
): void {
  const { one, many, a, all } = names;
  graph.queryOne(one, {
    access: 'public',
    type,
    description:
      `${a} by its identifier. Members of its channel see it in every state, others while ` +
      `it${NESTED.has(kind) ? ', and its series,' : ''} is published and not private.`,
    args: (t) => ({ id: t.field({ type: 'DID', required: true, description: 'Id.' }) }),
    on: (child, s, args) =>
      `${child}.id = ${args.id('id', [CONTENT_KINDS[kind].did])} and ` +
      `${child}.kind = '${kind}' and ${isVisibleContent(child, s)}`,
    missing: { field: 'id' },
  });
  graph.queryConnection(many, {
    access: 'public',
    type,
    description: `All published, public ${all} of all channels, latest publication first.`,
    where: (child) => `${child}.listed and ${child}.kind = '${kind}'`,
    order: newestPublished,
    total: () => `counter_value('listed:${kind}', '${EVERY_CHANNEL}')`,
  });
  graph.extend(Channel, (f) => ({
    [many]: f.connection({
      type,
      description: `Published, public ${all} of the channel, latest publication first.`,
      where: (child, s) => `${child}.channel_id = ${s.t}.id and ${child}.listed and ${child}.kind = '${kind}'`,
      order: newestPublished,
      total: (s) => `counter_value('channel:listed:${kind}', ${s.t}.id)`,
    }),
  }));
}
