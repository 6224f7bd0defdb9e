import { AppError } from '../../../kernel/errors.ts';
import { contentNotFound } from '../../catalog/index.ts';
import { blockedHere } from '../social.policy.ts';
import { type HoldReason, type HoldRules, whyHeld } from './hold-rules.ts';

/** Comments that an account can write in a channel within a minute; the channel's own people are not limited. */
export const COMMENTS_A_MINUTE = 10;
/** How often a comment can be edited. */
export const MAX_EDITS = 100;

/** Where a comment is to be written, from the writer's side. */
export interface CommentPlace extends HoldRules {
  readonly channelId: string;
  /** Whether the writer works on the channel, in any role. */
  readonly member: boolean;
  /** Whether the writer's role lets them moderate comments. */
  readonly moderator: boolean;
  readonly blocked: boolean;
}

/** What a command on a comment knows of it, from the viewer's side. */
export interface CommentFacts {
  readonly author: boolean;
  readonly moderator: boolean;
}

/** Whether comments can be written there. A place the viewer may not see is null. Null when they can. */
export function judgeWriting(place: CommentPlace | null, field: string): AppError | null {
  if (place === null) return contentNotFound(field);
  if (place.blocked) return blockedHere(field);
  if (place.mode === 'DISABLED') return closed('Comments are switched off for this content.', field);
  if (place.mode === 'MEMBERS_ONLY' && !place.member) return closed('Only the people of its channel can comment on this content.', field);
  return null;
}

/** Why a comment has to wait for review; what moderators write appears at once. */
export function judgeBody(body: string, place: HoldRules & Pick<CommentPlace, 'moderator'>): HoldReason | null {
  return place.moderator ? null : whyHeld(body, place);
}

/** The facts as a command's statement tells them; null when there is no such comment for the viewer. */
export function readCommentFacts({ author, moderator }: Readonly<Record<string, unknown>>): CommentFacts | null {
  return typeof moderator === 'boolean' ? { author: author === true, moderator } : null;
}

/** Authors delete their comments, and moderators everyone's. */
export function judgeDeletion(facts: CommentFacts | null): AppError | null {
  if (facts === null) return commentNotFound('id');
  return facts.author || facts.moderator ? null : notYours('Only its author and the moderators of the channel can delete this comment.');
}

/** Only authors change what they wrote: a moderator must not put words into someone's mouth. */
export function judgeEditing(facts: CommentFacts | null): AppError | null {
  if (facts === null) return commentNotFound('id');
  return facts.author ? null : notYours('Only its author can change this comment.');
}

export function judgeModeration(facts: CommentFacts | null): AppError | null {
  if (facts === null) return commentNotFound('id');
  return facts.moderator ? null : notYours('Only the moderators of the channel can do this.');
}

/** RESOURCE_NOT_FOUND for a comment given in `field`. */
export function commentNotFound(field: string): AppError {
  return new AppError('RESOURCE_NOT_FOUND', 'There is no such comment, or it is not visible to this account.', {
    field,
    suggestedFix: 'Check the id; comments(contentId) lists the comments of a content.',
  });
}

/** RATE_LIMIT_EXCEEDED for an account that writes too fast. */
export function tooFast(): AppError {
  return new AppError('RATE_LIMIT_EXCEEDED', `An account can write ${COMMENTS_A_MINUTE} comments a minute in a channel.`, {
    suggestedFix: 'Wait a minute before the next comment.',
    retryAfterSeconds: 60,
  });
}

function closed(message: string, field: string): AppError {
  return new AppError('UNAUTHORIZED', message, { field, suggestedFix: 'Read commentSettings of the content before offering to comment.' });
}

function notYours(message: string): AppError {
  return new AppError('UNAUTHORIZED', message, { field: 'id', suggestedFix: 'Use the id of a comment of your own, or report this one.' });
}
