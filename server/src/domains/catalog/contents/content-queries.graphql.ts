import type { EntityRef, Graph } from '../../../gql/index.ts';
import { CONTENT_DID_KINDS } from '../../../kernel/content-kinds.ts';
import type { ChannelTypes } from '../../channels/index.ts';
import { declareChannelContents } from './channel-contents.graphql.ts';
import type { ContentEnums } from './content-enums.graphql.ts';
import { isVisibleContent } from './content-visibility.sql.ts';

/** Declares the root queries of contents of any kind, and those of a channel. */
export function declareContentQueries(
  graph: Graph,
  channels: ChannelTypes,
  Content: EntityRef,
  enums: ContentEnums,
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
  declareChannelContents(graph, channels, Content, enums);
}
