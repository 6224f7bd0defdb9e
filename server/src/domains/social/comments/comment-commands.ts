import type { StatementCommand } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { blockedHere } from '../social.policy.ts';
import { commentNotFound, judgeDeletion, judgeModeration, readCommentFacts } from './comment.policy.ts';
import {
  COMMENT_FACTS,
  type CommentTarget,
  DELETION_FACTS,
  deleteCommentCtes,
  heartCommentCtes,
  likeCommentCtes,
  unlikeCommentCtes,
  unpinCommentCtes,
} from './comment-commands.store.ts';

type CommentCommand = StatementCommand<{ readonly id: string }, CommentTarget>;

const onComment: Pick<CommentCommand, 'prepare' | 'payload' | 'returns'> = {
  prepare: ({ id }, env) => ({ id: env.parseDid(id, ['comment'], 'id').id }),
  payload: ({ id }) => id,
  returns: () => COMMENT_FACTS,
};

/** INVALID_INPUT for what only works on comments that everyone sees. */
export function notPublished(action: string): AppError {
  return new AppError('INVALID_INPUT', `A comment that is not published cannot be ${action}.`, {
    field: 'id',
    suggestedFix: 'Call approveComments first.',
  });
}

/** Deletes an own comment, or as moderator anyone's; one with answers keeps an empty place. One round trip. */
export const deleteComment: CommentCommand = {
  ...onComment,
  payload: ({ id }, env) => ({ id: env.did('comment', id) }),
  ctes: deleteCommentCtes,
  returns: () => DELETION_FACTS,
  check(outcome) {
    const refused = judgeDeletion(readCommentFacts(outcome));
    if (refused) throw refused;
    // Someone else deleted it between the statement's look and its lock.
    if (outcome.removed !== true) throw commentNotFound('id');
  },
};

/** Gives a comment the channel's heart. One round trip; repeating it changes nothing. */
export const heartComment: CommentCommand = {
  ...onComment,
  ctes: heartCommentCtes(true),
  check(outcome) {
    const refused = judgeModeration(readCommentFacts(outcome));
    if (refused) throw refused;
    if (outcome.published !== true) throw notPublished('given a heart');
  },
};

/** Takes the channel's heart back. One round trip; repeating it changes nothing. */
export const unheartComment: CommentCommand = { ...onComment, ctes: heartCommentCtes(false), check: mustModerate };

/** Takes a comment from the top of its list. One round trip; repeating it changes nothing. */
export const unpinComment: CommentCommand = { ...onComment, ctes: unpinCommentCtes, check: mustModerate };

function mustModerate(outcome: Readonly<Record<string, unknown>>): void {
  const refused = judgeModeration(readCommentFacts(outcome));
  if (refused) throw refused;
}

/** Likes a comment. One round trip; repeating it changes nothing. */
export const likeComment: CommentCommand = {
  ...onComment,
  ctes: likeCommentCtes,
  check(outcome) {
    if (readCommentFacts(outcome) === null) throw commentNotFound('id');
    if (outcome.blocked === true) throw blockedHere('id');
    if (outcome.published !== true) throw notPublished('liked');
  },
};

/** Takes a like of a comment back. One round trip; repeating it changes nothing. */
export const unlikeComment: CommentCommand = {
  ...onComment,
  ctes: unlikeCommentCtes,
  check(outcome) {
    if (readCommentFacts(outcome) === null) throw commentNotFound('id');
  },
};
