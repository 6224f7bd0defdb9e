import { type ArgBuilder, countRows, type EntityRef, type Graph, type RowScope } from '../../../gql/index.ts';
import { CONTENT_DID_KINDS } from '../../../kernel/content-kinds.ts';
import { tokenAllows } from '../../channels/index.ts';
import type { SocialEnums } from '../social-enums.graphql.ts';
import { isCommented, MENTIONING_COMMENTS, visibleContent } from './comment-fields.sql.ts';
import { sorted } from './comment-types.graphql.ts';
import { isVisibleComment } from './comment-visibility.sql.ts';

/** Maximum count of a list that is counted by reading it. */
const MOST_COUNTED = 10_000;

interface Types {
  readonly Comment: EntityRef;
  readonly Me: EntityRef;
  readonly Content: EntityRef;
  readonly enums: SocialEnums;
}

/** Declares the lists of comments: on contents, by identifier and on `me`. */
export function declareCommentQueries(graph: Graph, { Comment, Me, Content, enums }: Types): void {
  const sort = (t: ArgBuilder) => ({
    sort: t.field({ type: enums.CommentSort, required: true, defaultValue: 'NEWEST', description: 'The order.' }),
  });
  declareCommentable(graph, { Comment, Content, enums }, sort);
  graph.queryConnection('comments', {
    access: 'public',
    type: Comment,
    description: 'The comments on a content, without replies; none for a content that the viewer may not see.',
    args: (t) => ({
      contentId: t.field({ type: 'DID', required: true, description: 'Id of the content.' }),
      ...sort(t),
    }),
    where: (child, s, args) =>
      `${child}.content_id = ${visibleContent(args.id('contentId', CONTENT_DID_KINDS), s)} and ` +
      `${child}.parent_id is null and ${child}.listed`,
    order: sorted,
    total: (s, args) =>
      `counter_value('content:threads', ${visibleContent(args.id('contentId', CONTENT_DID_KINDS), s)})`,
  });
  graph.queryOne('comment', {
    access: 'public',
    type: Comment,
    description: 'A comment by its id. While it is held or rejected, only its author and the moderators see it.',
    args: (t) => ({ id: t.field({ type: 'DID', required: true, description: 'Id of the comment.' }) }),
    on: (child, s, args) => `${child}.id = ${args.id('id', ['comment'])} and ${isVisibleComment(child, s)}`,
    missing: { field: 'id' },
  });
  declareOwnComments(graph, Me, Comment);
}

/** Declares the argument `sort`. */
type Sort = (t: ArgBuilder) => { readonly sort: ReturnType<ArgBuilder['field']> };

function declareCommentable(graph: Graph, { Comment, Content, enums }: Omit<Types, 'Me'>, sort: Sort): void {
  const CommentSettings = graph.part('CommentSettings', {
    description: 'Comment settings of a content.',
    fields: (f) => ({
      mode: f.column({
        type: enums.CommentMode,
        description: 'Who may comment, and which comments are held.',
        sql: (s) => `${s.t}.comment_mode`,
      }),
    }),
  });
  const Commentable = graph.interface('Commentable', {
    description: 'An object with comments.',
    fields: (f) => ({
      id: f.field({ type: 'DID', description: 'Id.' }),
      commentCount: f.field({ type: 'Int', description: 'Number of published comments, including replies.' }),
      isCommented: f.field({
        type: 'Boolean',
        description: 'Whether the viewer has commented on it; false without an account.',
      }),
      comments: f.connection({ type: () => Comment, description: 'Comments on it, without replies.', args: sort }),
    }),
  });
  graph.extend(
    Content,
    (f) => ({
      commentCount: f.column({
        type: 'Int',
        description: 'Number of published comments, including replies.',
        sql: (s) => `counter_value('content:comments', ${s.t}.id)`,
      }),
      isCommented: f.column({
        type: 'Boolean',
        description: 'Whether the viewer has commented on it; false without an account.',
        sql: (s) => isCommented(`${s.t}.id`, s),
      }),
      comments: f.connection({
        type: Comment,
        description: 'Comments on it, without replies.',
        args: sort,
        where: (child, s) => `${child}.content_id = ${s.t}.id and ${child}.parent_id is null and ${child}.listed`,
        order: sorted,
        total: (s) => `counter_value('content:threads', ${s.t}.id)`,
      }),
      commentSettings: f.embed({ type: CommentSettings, description: 'Its comment settings.' }),
    }),
    [Commentable],
  );
}

function declareOwnComments(graph: Graph, Me: EntityRef, Comment: EntityRef): void {
  // Of what the account wrote, a token limited to channels sees what is in these.
  const isOwn = (child: string, s: RowScope) =>
    `${child}.account_id = ${s.t}.account_id` +
    (s.credential === 'token' ? ` and ${isVisibleComment(child, s)}${tokenAllows(s, null, child)}` : '');
  const isMentioned = (child: string, s: RowScope) =>
    `${child}.mentioned_id = ${s.t}.account_id and ${child}.status = 'PUBLISHED' and ${isVisibleComment(child, s)}` +
    tokenAllows(s, null, child);
  graph.extend(Me, (f) => ({
    comments: f.connection({
      type: Comment,
      description: 'Comments of the account, including held and rejected ones, newest first.',
      where: isOwn,
      order: (child) => [`${child}.created_at`, `${child}.id`],
      total: (s) =>
        s.credential === 'token'
          ? countRows('comments', (row) => isOwn(row, s))
          : `counter_value('account:comments', ${s.t}.account_id)`,
    }),
    commentMentions: f.connection({
      type: Comment,
      description:
        'Published comments that mention the account, newest first. ' + `totalCount counts at most ${MOST_COUNTED}.`,
      from: MENTIONING_COMMENTS,
      where: isMentioned,
      order: (child) => [`${child}.id`],
      total: (s) => countRows(MENTIONING_COMMENTS, (row) => isMentioned(row, s), MOST_COUNTED),
    }),
  }));
}
