import type { EntityRef, Graph, RequestEnv } from '../../../gql/index.ts';
import { CONTENT_KINDS, type ContentKind, contentPagePath } from '../../../kernel/content-kinds.ts';
import { commentsSql, MOST_COUNTED, USUAL_PAGE } from './comment-list.sql.ts';
import { cursorOf, MAX_PAGE } from './page-arguments.ts';

/** A comment of the list, as SQL returns it. */
interface CommentRow {
  readonly id: string;
  readonly at: string;
  readonly body: string;
  readonly isReply: boolean;
  readonly username: string | null;
  readonly authorChannel: string | null;
  readonly avatar: string | null;
  readonly contentId: string;
  readonly kind: ContentKind;
  readonly shortCode: string;
  readonly title: string;
}

/** Declares `comments` of analytics: the newest comments on all contents of a channel, as flat objects. */
export function declareCommentList(graph: Graph, CreatorAnalytics: EntityRef): void {
  const Author = graph.object('CreatorCommentAuthor', {
    description: 'The author of a comment; all null if the account was deleted.',
    fields: (f) => ({
      userLrn: f.value({ type: 'DID', nullable: true, description: "Id of the author's own channel, as Person.id." }),
      userUuid: f.value({ type: 'String', nullable: true, description: 'The last part of that id.' }),
      username: f.value({ type: 'String', nullable: true, description: 'Unique name of the account.' }),
      avatarUrl: f.value({ type: 'String', nullable: true, description: 'Address of the avatar; null without one.' }),
    }),
  });
  const CreatorComment = graph.object('CreatorComment', {
    description: 'A published comment on a content of the channel.',
    fields: (f) => ({
      commentLrn: f.value({ type: 'DID', description: 'Id of the comment.' }),
      body: f.value({ type: 'String', description: 'Its text.' }),
      isReply: f.value({ type: 'Boolean', description: 'Whether it answers another comment.' }),
      createdAt: f.value({ type: 'DateTime', description: 'When it was written.' }),
      author: f.value({ type: Author, description: 'Its author.' }),
      contentLrn: f.value({ type: 'DID', description: 'Id of the content.' }),
      contentTitle: f.value({ type: 'String', description: 'Title of the content.' }),
      contentType: f.value({ type: 'String', description: 'ContentKind of the content.' }),
      deepLink: f.value({ type: 'String', description: 'Address of the page with the content and its comments.' }),
    }),
  });
  const CreatorCommentsPage = graph.object('CreatorCommentsPage', {
    description: 'A page of comments.',
    fields: (f) => ({
      items: f.value({
        type: [CreatorComment],
        description:
          `The comments of this page, at most ${MAX_PAGE}, newest first; ` + 'Channel.comments pages through all.',
      }),
      totalCount: f.value({ type: 'Int', description: `Number of these comments; counts at most ${MOST_COUNTED}.` }),
      nextCursor: f.value({ type: 'String', nullable: true, description: 'For the next page; null on the last one.' }),
    }),
  });
  graph.extend(CreatorAnalytics, (f) => ({
    comments: f.column({
      type: CreatorCommentsPage,
      description: 'Published comments on all contents of the channel, newest first.',
      args: (t) => ({
        first: t.int({ defaultValue: USUAL_PAGE, description: `Page size, 1 to ${MAX_PAGE}.` }),
        after: t.string({ description: 'nextCursor of the page before.' }),
      }),
      cost: [{ points: USUAL_PAGE }],
      sql: commentsSql,
      read: readComments,
    }),
  }));
}

type PagedRow = CommentRow & { readonly isLast: boolean; readonly isBeyond: boolean };

function readComments(
  [rows, totalCount]: [readonly PagedRow[], number | null],
  env: RequestEnv,
): Record<string, unknown> {
  const hasMore = rows.some(({ isBeyond }) => isBeyond);
  const last = rows.find(({ isLast }) => isLast);
  return {
    nextCursor: hasMore && last ? cursorOf(last.at, last.id) : null,
    totalCount,
    items: rows.filter(({ isBeyond }) => !isBeyond).map((row) => commentOf(row, env)),
  };
}

function commentOf(row: CommentRow, env: RequestEnv): Record<string, unknown> {
  const { authorChannel, avatar, contentId, kind, shortCode } = row;
  return {
    commentLrn: env.did('comment', row.id),
    body: row.body,
    isReply: row.isReply,
    createdAt: new Date(row.at).toISOString(),
    author: {
      userLrn: authorChannel === null ? null : env.did('channel', authorChannel),
      userUuid: authorChannel,
      username: row.username,
      avatarUrl: avatar === null ? null : env.services.assets.mediaAddress(avatar, 'OPEN', env.nowMs),
    },
    contentLrn: env.did(CONTENT_KINDS[kind].did, contentId),
    contentTitle: row.title,
    contentType: kind,
    deepLink: env.baseUrl + contentPagePath({ kind, id: contentId, shortCode }),
  };
}
