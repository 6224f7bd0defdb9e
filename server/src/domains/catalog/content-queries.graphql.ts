import type { EntityRef, Graph } from '../../gql/index.ts';
import { CONTENT_DID_KINDS } from '../../kernel/content-kinds.ts';
import { type ChannelTypes, isMember } from '../channels/index.ts';
import { isVisibleContent } from './content-types.graphql.ts';

/** Declares the root queries of contents of any kind and what a channel has of them. */
export function declareContentQueries(graph: Graph, { Channel }: ChannelTypes, Content: EntityRef): void {
  graph.queryOne('content', {
    access: 'public',
    type: Content,
    description:
      'A content of any kind by its identifier. Members of its channel see it in every state, others while it, and what it is part of, is published and not private.',
    args: (t) => ({ id: t.field({ type: 'DID', required: true, description: 'Identifier of the content.' }) }),
    on: (child, s, args) => `${child}.id = ${args.did('id', CONTENT_DID_KINDS)} and ${isVisibleContent(child, s)}`,
    missing: { field: 'id' },
  });
  graph.extend(Channel, (f) => ({
    contents: f.connection({
      type: Content,
      nullable: true,
      description: 'All contents of the channel in every state, newest first; null for anyone but its members.',
      where: (child, s) => `${child}.channel_id = ${s.t}.id and ${child}.deleted_at is null`,
      order: (child) => [`${child}.created_at`, `${child}.id`],
      total: (s) => `counter_value('channel:contents', ${s.t}.id)`,
      visibleIf: (s) => isMember(s, `${s.t}.id`),
    }),
  }));
}
