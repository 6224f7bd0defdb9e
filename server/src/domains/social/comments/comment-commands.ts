import type { StatementCommand } from '../../../gql/index.ts';
import {
  COMMENT_DELETION,
  COMMENT_HEART,
  COMMENT_LIKE,
  COMMENT_MODERATION,
  COMMENT_UNLIKE,
  commentNotFound,
} from './comment.policy.ts';
import {
  COMMENT_TARGET,
  type CommentTarget,
  DELETED_COMMENT_TARGET,
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

/**
 * Deletes the account's comment or, as moderator, any comment; one with replies leaves a placeholder. One round
 * trip, and one for the objects whose counts change.
 */
export const deleteComment: CommentCommand = {
  ...onComment,
  target: DELETED_COMMENT_TARGET,
  payload: ({ id }, env, { content_id: content, parent_id: parent }) => ({
    id: env.did('comment', id),
    ...{ content, parent },
  }),
  policy: COMMENT_DELETION,
  writes: deleteCommentWrites,
  // A concurrent request may have deleted it before the statement's lock.
  ensures: [{ ...IS_REMOVED, otherwise: commentNotFound }],
};

/** Hearts a comment. One round trip; idempotent. */
export const heartComment: CommentCommand = { ...onComment, policy: COMMENT_HEART, writes: heartCommentWrites(true) };

/** Removes the heart of a comment. One round trip; idempotent. */
export const unheartComment: CommentCommand = {
  ...onComment,
  policy: COMMENT_MODERATION,
  writes: heartCommentWrites(false),
};

/** Unpins a comment. One round trip; idempotent. */
export const unpinComment: CommentCommand = { ...onComment, policy: COMMENT_MODERATION, writes: unpinCommentWrites };

/** Likes a comment. One round trip; idempotent. */
export const likeComment: CommentCommand = { ...onComment, policy: COMMENT_LIKE, writes: likeCommentWrites };

/** Unlikes a comment. One round trip; idempotent. */
export const unlikeComment: CommentCommand = { ...onComment, policy: COMMENT_UNLIKE, writes: unlikeCommentWrites };
