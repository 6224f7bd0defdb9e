import type { EntityRef, Graph } from '../../gql/index.ts';
import { CONTENT_DID_KINDS } from '../../kernel/content-kinds.ts';
import { type ChannelTypes, isMember } from '../channels/index.ts';
import { isVisibleContent } from './content-types.graphql.ts';

const EVERY_CHANNEL = '00000000-0000-0000-0000-000000000000';
const newestPublished = (child: string) => [`${child}.published_at`, `${child}.id`];

/** Declares the root queries of contents and what a channel has of them. */
export function declareContentQueries(
  graph: Graph,
  { Channel }: ChannelTypes,
  { Feature, Content }: { Feature: EntityRef; Content: EntityRef },
): void {
  graph.queryOne('feature', {
    access: 'public',
    type: Feature,
    description: 'A feature by its identifier. Its owner sees it in every state, others while it is published and not private.',
    args: (t) => ({ id: t.field({ type: 'DID', required: true, description: 'Identifier of the feature.' }) }),
    on: (child, s, args) => `${child}.id = ${args.did('id', ['feature'])} and ${child}.kind = 'FEATURE' and ${isVisibleContent(child, s)}`,
    missing: { field: 'id' },
  });
  graph.queryConnection('features', {
    access: 'public',
    type: Feature,
    description: 'All published, public features of all channels, the latest published first.',
    where: (child) => `${child}.listed and ${child}.kind = 'FEATURE'`,
    order: newestPublished,
    total: () => `counter_value('listed:FEATURE', '${EVERY_CHANNEL}')`,
  });
  graph.queryOne('content', {
    access: 'public',
    type: Content,
    description: 'A content of any kind by its identifier. Its owner sees it in every state, others while it is published and not private.',
    args: (t) => ({ id: t.field({ type: 'DID', required: true, description: 'Identifier of the content.' }) }),
    on: (child, s, args) => `${child}.id = ${args.did('id', CONTENT_DID_KINDS)} and ${isVisibleContent(child, s)}`,
    missing: { field: 'id' },
  });
  graph.extend(Channel, (f) => ({
    features: f.connection({
      type: Feature,
      description: 'Published, public features of the channel, the latest published first.',
      where: (child, s) => `${child}.channel_id = ${s.t}.id and ${child}.listed and ${child}.kind = 'FEATURE'`,
      order: newestPublished,
      total: (s) => `counter_value('channel:listed:FEATURE', ${s.t}.id)`,
    }),
    contents: f.connection({
      type: Content,
      nullable: true,
      description: 'All contents of the channel in every state, newest first; null for anyone but the owner.',
      where: (child, s) => `${child}.channel_id = ${s.t}.id and ${child}.deleted_at is null`,
      order: (child) => [`${child}.created_at`, `${child}.id`],
      total: (s) => `counter_value('channel:contents', ${s.t}.id)`,
      visibleIf: (s) => isMember(s, `${s.t}.id`),
    }),
  }));
}
