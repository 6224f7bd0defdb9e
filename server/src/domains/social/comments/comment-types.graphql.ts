import { type ArgShape, countRows, type EntityRef, type Graph } from '../../../gql/index.ts';
import { CONTENT_KINDS, type ContentKind } from '../../../kernel/content-kinds.ts';
import { kindOfContent } from '../../assets/index.ts';
import { isVisibleContent } from '../../catalog/index.ts';
import { type LikeableTypes, readLikes } from '../likes.graphql.ts';
import type { SocialEnums } from '../social-enums.graphql.ts';
import {
  bodyOf,
  heldForOf,
  isCommentLiked,
  isVisibleEdit,
  likesOf,
  mentionsOf,
  statusOf,
  threadOf,
} from './comment-fields.sql.ts';
import { MAX_MENTIONS } from './comment-input.ts';
import { isVisibleComment, seesBody, seesHidden } from './comment-visibility.sql.ts';

const oldestFirst = { by: (child: string) => [`${child}.created_at`, `${child}.id`], direction: 'asc' } as const;

/** The order of a list with the argument `sort`: pinned ones, then newest or most liked. */
export function sorted(child: string, args: ArgShape): string[] {
  return [
    `${child}.pin`,
    args.literal('sort') === 'TOP' ? `${child}.likes_count` : `${child}.created_at`,
    `${child}.id`,
  ];
}

interface Types extends LikeableTypes {
  readonly Node: EntityRef;
  readonly Person: EntityRef;
  readonly Content: EntityRef;
  readonly enums: SocialEnums;
}

/** Declares Comment with its history and whom it mentions. */
export function declareComment(graph: Graph, types: Types): EntityRef {
  const Comment: EntityRef = graph.entity('Comment', {
    description: 'A comment on a content, or a reply. Its text is plain text: never render it as markup.',
    table: 'comments',
    interfaces: [types.Node, types.Likeable],
    node: { kinds: ['comment'], where: isVisibleComment },
    fields: (f) => ({
      id: f.column({
        type: 'DID',
        description: 'Id of the comment.',
        sql: (s) => `${s.t}.id`,
        read: ([id]: [string], env) => env.did('comment', id),
      }),
      body: f.column({
        type: 'String',
        description: 'The text; empty once it is deleted, and for others while it is held or rejected.',
        sql: (s) => bodyOf(s.t, s),
      }),
      contentId: f.column({
        type: 'DID',
        description: 'Id of the content.',
        sql: (s) => [kindOfContent(`${s.t}.content_id`), `${s.t}.content_id`],
        read: ([kind, id]: [ContentKind, string], env) => env.did(CONTENT_KINDS[kind].did, id),
      }),
      content: f.one({
        type: types.Content,
        nullable: true,
        description: 'The content; null if the viewer may no longer see it.',
        on: (child, s) => `${child}.id = ${s.t}.content_id and ${isVisibleContent(child, s)}`,
      }),
      author: f.one({
        type: types.Person,
        nullable: true,
        description:
          'The author; null once the comment or the account is deleted, and for others while it is held or rejected.',
        on: (child, s) => `${child}.id = ${s.t}.account_id and ${seesBody(s.t, s)}`,
      }),
      createdAt: f.column({ type: 'DateTime', description: 'When it was written.', sql: (s) => `${s.t}.created_at` }),
      editedAt: f.column({
        type: 'DateTime',
        nullable: true,
        description: 'When it was last edited; null if never.',
        sql: (s) => `${s.t}.edited_at`,
      }),
      depth: f.column({
        type: 'Int',
        description: 'Depth in its thread: 0 for the first comment, 1 for replies to it, and so on without limit.',
        sql: (s) => `${s.t}.depth`,
      }),
      isPinned: f.column({
        type: 'Boolean',
        description: 'Whether it is pinned to the top of its list.',
        sql: (s) => `${s.t}.pin = 1`,
      }),
      isHearted: f.column({
        type: 'Boolean',
        description: 'Whether the channel hearted it.',
        sql: (s) => `(${s.t}.hearted and ${s.t}.deleted_at is null)`,
      }),
      likes: f.column({
        type: types.Likes,
        description: 'Likes of the comment.',
        sql: (s) => [likesOf(s.t), isCommentLiked(s.t, s)],
        read: readLikes,
      }),
    }),
  });
  declareThreads(graph, Comment);
  declareStatus(graph, Comment, types.enums);
  declareHistory(graph, Comment, types.Node);
  return Comment;
}

function declareThreads(graph: Graph, Comment: EntityRef): void {
  graph.extend(Comment, (f) => ({
    threadId: f.column({
      type: 'DID',
      description: 'Id of the first comment of its thread; its own if it is the first.',
      sql: (s) => threadOf(s.t),
      read: ([id]: [string], env) => env.did('comment', id),
    }),
    parent: f.one({
      type: Comment,
      nullable: true,
      description: 'The comment it replies to; null for the first comment of a thread.',
      on: (child, s) => `${child}.id = ${s.t}.parent_id and (${child}.listed or ${seesHidden(child, s)})`,
    }),
    replies: f.connection({
      type: Comment,
      description: 'Direct replies, oldest first.',
      where: (child, s) => `${child}.parent_id = ${s.t}.id and ${child}.listed`,
      order: oldestFirst,
      total: (s) => `counter_value('comment:replies', ${s.t}.id)`,
    }),
    thread: f.connection({
      type: Comment,
      description:
        'All replies in the thread that begins with this comment, at any depth, oldest first; none for replies.',
      where: (child, s) => `${child}.root_id = ${s.t}.id and ${child}.listed`,
      order: oldestFirst,
      total: (s) => `counter_value('comment:thread', ${s.t}.id)`,
    }),
  }));
}

function declareStatus(graph: Graph, Comment: EntityRef, enums: SocialEnums): void {
  graph.extend(Comment, (f) => ({
    status: f.column({
      type: enums.CommentStatus,
      description: 'Visibility of the comment.',
      sql: (s) => statusOf(s.t),
    }),
    heldFor: f.column({
      type: enums.HoldReason,
      nullable: true,
      description: 'Why it is held for review; null if it is not, and for others than the moderators and its author.',
      sql: (s) => heldForOf(s.t, s),
    }),
  }));
}

function declareHistory(graph: Graph, Comment: EntityRef, Node: EntityRef): void {
  const CommentEdit = graph.entity('CommentEdit', {
    description: 'A former text of a comment.',
    table: 'comment_edits',
    interfaces: [Node],
    node: {
      kinds: ['commentEdit'],
      where: isVisibleEdit,
    },
    fields: (f) => ({
      id: f.column({
        type: 'DID',
        description: 'Id of the former text.',
        sql: (s) => `${s.t}.id`,
        read: ([id]: [string], env) => env.did('commentEdit', id),
      }),
      body: f.column({ type: 'String', description: 'The previous text.', sql: (s) => `${s.t}.body` }),
      replacedAt: f.column({ type: 'DateTime', description: 'When it was replaced.', sql: (s) => `${s.t}.created_at` }),
    }),
  });
  const CommentMention = graph.object('CommentMention', {
    description: 'An account that a comment mentions as @username.',
    fields: (f) => ({
      id: f.value({ type: 'DID', description: "Id of the account's own channel." }),
      username: f.value({ type: 'String', description: 'Unique name of the account.' }),
    }),
  });
  graph.extend(Comment, (f) => ({
    edits: f.connection({
      type: CommentEdit,
      nullable: true,
      description: 'Its former texts, latest first; null for others than its author and the moderators.',
      where: (child, s) => `${child}.comment_id = ${s.t}.id`,
      order: (child) => [`${child}.created_at`, `${child}.id`],
      // A comment can be edited a hundred times.
      total: (s) => countRows('comment_edits', (row) => `${row}.comment_id = ${s.t}.id`),
      visibleIf: (s) => seesHidden(s.t, s),
    }),
    mentions: f.column({
      type: [CommentMention],
      description: `Accounts that its text mentions, at most ${MAX_MENTIONS}, ordered by name.`,
      sql: (s) => mentionsOf(s.t, s),
      read: ([mentions]: [{ channel: string; username: string }[] | null], env) =>
        (mentions ?? []).map(({ channel, username }) => ({ id: env.did('channel', channel), username })),
    }),
  }));
}
