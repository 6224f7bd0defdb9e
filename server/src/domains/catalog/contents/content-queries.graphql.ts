import type { ArgScope, EntityRef, Graph } from '../../../gql/index.ts';
import { CONTENT_DID_KINDS } from '../../../kernel/content-kinds.ts';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
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
      'A content of any kind by its id or by its short code. Members of its channel see it in every ' +
      'state, others while it and its series are published and not private.',
    args: (t) => ({
      id: t.field({ type: 'DID', description: 'Id of the content.' }),
      shortCode: t.string({ description: 'Its shortCode, which is the last part of its shortUrl.' }),
    }),
    on: (child, s, args) => `${byIdOrCode(child, args)} and ${isVisibleContent(child, s)}`,
    missing: { field: 'id', instead: 'shortCode' },
  });
  declareChannelContents(graph, channels, Content, enums);
}

/** Declares the content of a job. */
export function declareContentOfJob(graph: Graph, TranscodeJob: EntityRef, Content: EntityRef): void {
  graph.extend(TranscodeJob, (f) => ({
    content: f.one({
      type: Content,
      nullable: true,
      description: 'The content that it works for; null where it is in the trash.',
      on: (child, s) => `${child}.id = ${s.t}.content_id and ${isVisibleContent(child, s)}`,
    }),
  }));
}

function byIdOrCode(child: string, args: ArgScope): string {
  const [byId, byCode] = [args.given('id'), args.given('shortCode')];
  if (byId === byCode)
    throw new AppError(
      byId ? 'INVALID_INPUT' : 'FIELD_REQUIRED',
      byId ? t`Both id and shortCode are given.` : t`Neither id nor shortCode is given.`,
      { field: byId ? 'shortCode' : 'id', suggestedFix: t`Send either id or shortCode.` },
    );
  return byId
    ? `${child}.id = ${args.id('id', CONTENT_DID_KINDS)}`
    : `${child}.short_code = ${args.param('shortCode', 'text')}`;
}
