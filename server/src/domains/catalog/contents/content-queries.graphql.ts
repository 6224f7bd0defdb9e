import type { EntityRef, Graph } from '../../../gql/index.ts';
import { CONTENT_DID_KINDS } from '../../../kernel/content-kinds.ts';
import { type ChannelTypes, isMember } from '../../channels/index.ts';
import { keptOfKinds } from './content-counters.sql.ts';
import type { ContentEnums } from './content-enums.graphql.ts';
import { isVisibleContent } from './content-visibility.sql.ts';

/** Declares the root queries of contents of any kind, and those of a channel. */
export function declareContentQueries(
  graph: Graph,
  { Channel }: ChannelTypes,
  Content: EntityRef,
  { ContentKind }: ContentEnums,
): void {
  graph.queryOne('content', {
    access: 'public',
    type: Content,
    description:
      'A content of any kind by its id. Members of its channel see it in every ' +
      'state, others while it and its series are published and not private.',
    args: (t) => ({ id: t.field({ type: 'DID', required: true, description: 'Id of the content.' }) }),
    on: (child, s, args) => `${child}.id = ${args.id('id', CONTENT_DID_KINDS)} and ${isVisibleContent(child, s)}`,
    missing: { field: 'id' },
  });
  graph.extend(Channel, (f) => ({
    contents: f.connection({
      type: Content,
      nullable: true,
      description: 'Contents of the channel in every state, newest first; null unless the viewer is a member.',
      args: (t) => ({ kinds: t.field({ type: [ContentKind], description: 'Only contents of these kinds.' }) }),
      where: (child, s, args) =>
        `${child}.channel_id = ${s.t}.id and ${child}.deleted_at is ` +
        `null${args.given('kinds') ? ` and ${child}.kind = any(${args.param('kinds', 'text[]')})` : ''}`,
      order: (child) => [`${child}.created_at`, `${child}.id`],
      total: (s, args) =>
        args.given('kinds')
          ? keptOfKinds(`${s.t}.id`, args.param('kinds', 'text[]'))
          : `counter_value('channel:contents', ${s.t}.id)`,
      visibleIf: (s) => isMember(s, `${s.t}.id`),
    }),
  }));
}
