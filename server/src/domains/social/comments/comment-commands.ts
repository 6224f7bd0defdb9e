import type { StatementCommand } from '../../../gql/index.ts';
import { COMMENT_DELETION, COMMENT_HEART, COMMENT_LIKE, COMMENT_MODERATION, COMMENT_UNLIKE, commentNotFound } from './comment.policy.ts';
import {
  COMMENT_TARGET,
  type CommentTarget,
  deleteCommentWrites,
  heartCommentWrites,
  IS_REMOVED,
  likeCommentWrites,
  unlikeCommentWrites,
  unpinCommentWrites,
} from './comment-commands.store.ts';

type CommentCommand = StatementCommand<{ readonly id: string }, CommentTarget>;

const onComment: Pick<CommentCommand, 'prepare' | 'payload' | 'target'> = {
  prepare: ({ id }, env) => ({ id: env.parseDid(id, ['comment'], 'id').id }),
  payload: ({ id }) => id,
  target: COMMENT_TARGET,
};

/** Deletes an own comment, or as moderator anyone's; one with answers keeps an empty place. One round trip. */
export const deleteComment: CommentCommand = {
  ...onComment,
  payload: ({ id }, env) => ({ id: env.did('comment', id) }),
  policy: COMMENT_DELETION,
  writes: deleteCommentWrites,
  // Someone else may have deleted it between the statement's look and its lock.
  ensures: [{ ...IS_REMOVED, otherwise: commentNotFound }],
};

/** Gives a comment the channel's heart. One round trip; repeating it changes nothing. */
export const heartComment: CommentCommand = { ...onComment, policy: COMMENT_HEART, writes: heartCommentWrites(true) };

/** Takes the channel's heart back. One round trip; repeating it changes nothing. */
export const unheartComment: CommentCommand = { ...onComment, policy: COMMENT_MODERATION, writes: heartCommentWrites(false) };

/** Takes a comment from the top of its list. One round trip; repeating it changes nothing. */
export const unpinComment: CommentCommand = { ...onComment, policy: COMMENT_MODERATION, writes: unpinCommentWrites };

/** Likes a comment. One round trip; repeating it changes nothing. */
export const likeComment: CommentCommand = { ...onComment, policy: COMMENT_LIKE, writes: likeCommentWrites };

/** Takes a like of a comment back. One round trip; repeating it changes nothing. */
export const unlikeComment: CommentCommand = { ...onComment, policy: COMMENT_UNLIKE, writes: unlikeCommentWrites };
