import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import { fact, not, oneOf, or, type Policy, permission, state } from '../../../kernel/policy.ts';
import { contentNotFound } from '../../catalog/index.ts';
import { blockedHere } from '../social.policy.ts';
import { type HoldReason, type HoldRules, whyHeld } from './hold-rules.ts';

/** Comments that an account can write in a channel per minute; members of the channel are not limited. */
export const COMMENTS_A_MINUTE = 10;
/** How often a comment can be edited. */
export const MAX_EDITS = 100;

/** The facts about the target of a new comment, for its author. */
export interface CommentContext extends HoldRules {
  readonly channelId: string;
  /** Whether the writer may see the content. */
  readonly visible: boolean;
  /** Whether the author is a member of the channel, in any role. */
  readonly member: boolean;
  /** Whether the author's role may moderate comments. */
  readonly moderator: boolean;
  readonly blocked: boolean;
}

/** The facts about a comment, for the viewer. */
export interface CommentFacts {
  /** Whether the viewer may see it. */
  readonly visible: boolean;
  readonly author: boolean;
  /** Whether the viewer's role in the channel lets them moderate comments. */
  readonly moderator: boolean;
}

const isVisible = fact<keyof CommentFacts>('visible');
const isAuthor = fact<keyof CommentFacts>('author');
const isModerator = fact<keyof CommentFacts>('moderator');

/** Who may unlike a comment: everyone who sees it. */
export const COMMENT_UNLIKE: Policy<CommentFacts> = {
  missing: commentNotFound,
  requires: [permission(isVisible, commentNotFound)],
};

/** Who may like a comment: everyone who sees it and is not blocked in its channel, once it is published. */
export const COMMENT_LIKE: Policy<CommentFacts & { readonly blocked: boolean; readonly published: boolean }> = {
  ...COMMENT_UNLIKE,
  requires: [
    ...COMMENT_UNLIKE.requires,
    permission(not(fact('blocked')), blockedHere),
    state(fact('published'), () => notPublished(t`A comment that is not published cannot be liked.`)),
  ],
};

/** Authors delete their comments, and moderators everyone's. */
export const COMMENT_DELETION: Policy<CommentFacts> = {
  missing: commentNotFound,
  requires: [
    permission(isVisible, commentNotFound),
    permission(or(isAuthor, isModerator), () =>
      notYours(t`Only its author and the moderators of the channel can delete this comment.`),
    ),
  ],
};

/** Only authors edit their comments; moderators cannot change them. */
export const COMMENT_EDITING: Policy<CommentFacts> = {
  missing: commentNotFound,
  requires: [
    permission(isVisible, commentNotFound),
    permission(isAuthor, () => notYours(t`Only its author can change this comment.`)),
  ],
};

/** Who may pin and give hearts: the moderators of the channel. */
export const COMMENT_MODERATION: Policy<CommentFacts> = {
  missing: commentNotFound,
  requires: [
    permission(isVisible, commentNotFound),
    permission(isModerator, () => notYours(t`Only the moderators of the channel can do this.`)),
  ],
};

/** Who may hold, approve and reject a comment: the moderators, unless an operator of the server took it down. */
export const COMMENT_REVIEW: Policy<CommentFacts & { readonly removed: boolean }> = {
  ...COMMENT_MODERATION,
  requires: [
    ...COMMENT_MODERATION.requires,
    state(not(fact('removed')), (field) => {
      return new AppError('INVALID_INPUT', t`An operator of the server took this comment down.`, {
        field,
        suggestedFix: t`Contact the operator if you think that this is a mistake.`,
      });
    }),
  ],
};

/** Who may give a comment the channel's heart. */
export const COMMENT_HEART: Policy<CommentFacts & { readonly published: boolean }> = {
  ...COMMENT_MODERATION,
  requires: [
    ...COMMENT_MODERATION.requires,
    state(fact('published'), () => notPublished(t`A comment that is not published cannot be given a heart.`)),
  ],
};

/** Who may pin a comment: one that is published and begins a thread. */
export const COMMENT_PIN: Policy<CommentFacts & { readonly published: boolean; readonly answers: boolean }> = {
  ...COMMENT_MODERATION,
  requires: [
    ...COMMENT_MODERATION.requires,
    state(fact('published'), () => notPublished(t`A comment that is not published cannot be pinned.`)),
    state(not(fact('answers')), (field) => {
      return new AppError('INVALID_INPUT', t`A reply cannot be pinned.`, {
        field,
        suggestedFix: t`Pin the first comment of its thread.`,
      });
    }),
  ],
};

type WritingFacts = Pick<CommentContext, 'visible' | 'member' | 'blocked' | 'mode'>;

/** Who may comment on a content: everyone who sees it, is not blocked there, and to whom comments are open. */
export const COMMENT_WRITING: Policy<WritingFacts> = {
  missing: contentNotFound,
  requires: [
    permission<WritingFacts>(fact('visible'), contentNotFound),
    permission<WritingFacts>(not(fact('blocked')), blockedHere),
    state<WritingFacts>(not(oneOf('mode', ['DISABLED'])), (field) =>
      closed(t`Comments are disabled for this content.`, field),
    ),
    permission<WritingFacts>(or(not(oneOf('mode', ['MEMBERS_ONLY'])), fact('member')), (field) =>
      closed(t`Only members of its channel can comment on this content.`, field),
    ),
  ],
};

/** Why a comment is held for review; comments of moderators are published at once. */
export function decideHold(body: string, context: HoldRules & Pick<CommentContext, 'moderator'>): HoldReason | null {
  return context.moderator ? null : whyHeld(body, context);
}

/** RESOURCE_NOT_FOUND for a comment given in `field`. */
export function commentNotFound(field: string): AppError {
  return new AppError('RESOURCE_NOT_FOUND', t`There is no such comment, or it is not visible to this account.`, {
    field,
    suggestedFix: t`Check the id; comments(contentId) lists the comments of a content.`,
  });
}

/** RATE_LIMIT_EXCEEDED for an account over the limit per minute. */
export function tooFast(): AppError {
  return new AppError(
    'RATE_LIMIT_EXCEEDED',
    t`An account can write ${COMMENTS_A_MINUTE} comments a minute in a channel.`,
    {
      suggestedFix: t`Wait a minute before the next comment.`,
      retryAfterSeconds: 60,
    },
  );
}

/** INVALID_INPUT for actions that require a published comment. */
function notPublished(message: string): AppError {
  return new AppError('INVALID_INPUT', message, {
    field: 'id',
    suggestedFix: t`Call approveComments first.`,
  });
}

function closed(message: string, field: string): AppError {
  return new AppError('UNAUTHORIZED', message, {
    field,
    suggestedFix: t`Read commentSettings of the content before showing the comment form.`,
  });
}

function notYours(message: string): AppError {
  return new AppError('UNAUTHORIZED', message, {
    field: 'id',
    suggestedFix: t`Use the id of one of your comments, or report this one.`,
  });
}
