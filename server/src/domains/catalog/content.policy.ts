import { CONTENT_KINDS, type ContentKind } from '../../kernel/content-kinds.ts';
import { AppError } from '../../kernel/errors.ts';
import { roleTooLow } from '../channels/index.ts';
import { allows, type ContentAction, type ContentStatus, refusal } from './lifecycle.ts';

/** What the policy needs to know of a content, from the viewer's side. */
export interface ContentFacts {
  /** Whether the viewer works on the content's channel, in any role. */
  readonly member: boolean;
  /** Whether that role allows what is asked for. */
  readonly may: boolean;
  /** Whether anyone with the link may watch it: published and not private. */
  readonly open: boolean;
  readonly status: ContentStatus;
}

/** The facts as a command's statement tells them; null when there was no such content. */
export function readContentFacts(outcome: Readonly<Record<string, unknown>>): ContentFacts | null {
  const { member, may, open, status } = outcome;
  if (typeof status !== 'string') return null;
  return { member: member === true, may: may === true, open: open === true, status: status as ContentStatus }; // the column's CHECK allows nothing else
}

const exists = (facts: ContentFacts | null): facts is ContentFacts => facts !== null;
const isMember = (facts: ContentFacts): boolean => facts.member;
const hasTheRole = (facts: ContentFacts): boolean => facts.may;
const isOpenToAll = (facts: ContentFacts): boolean => facts.open;

/** Members of its channel see it in every state; others only while it is published and not private. */
export function maySee(facts: ContentFacts | null): facts is ContentFacts {
  return exists(facts) && (isMember(facts) || isOpenToAll(facts));
}

/**
 * Whose a content is. One the viewer may not see is answered exactly like one that does not exist (RESOURCE_NOT_FOUND), so that
 * nobody learns of private things by trying ids; one that is open to all but belongs to someone else is UNAUTHORIZED, because
 * its existence is no secret. Null for members of its channel whose role allows it.
 */
export function judgeOwnership(facts: ContentFacts | null, field: string): AppError | null {
  if (!maySee(facts)) return contentNotFound(field);
  if (hasTheRole(facts)) return null;
  if (isMember(facts)) return roleTooLow(field);
  return new AppError('UNAUTHORIZED', 'This content belongs to another channel.', {
    field,
    suggestedFix: 'Use the id of a content in a channel of your own; me.channel.contents lists them.',
  });
}

/** Who may act on a content: members whose role allows it, in the states that allow the action. Null when the action is allowed. */
export function judgeContentAction(action: ContentAction, facts: ContentFacts | null, field: string): AppError | null {
  const refused = judgeOwnership(facts, field);
  if (refused || facts === null) return refused;
  return allows(action, facts.status) ? null : refusal(action, facts.status, field);
}

/** INVALID_INPUT for what needs a video, on a kind that has none of its own. Null for kinds that are videos. */
export function judgeHasVideo(kind: ContentKind, field: string): AppError | null {
  const { holds } = CONTENT_KINDS[kind];
  if (holds === null) return null;
  return new AppError('INVALID_INPUT', `This holds ${holds.toLowerCase()}s and has no video of its own.`, {
    field,
    suggestedFix: `Use the id of ${holds === 'SEASON' ? 'an episode in one of its seasons' : 'one of its episodes'}; createEpisode makes one.`,
  });
}

/** RESOURCE_NOT_FOUND for a content id given in `field`. */
export function contentNotFound(field: string): AppError {
  return new AppError('RESOURCE_NOT_FOUND', 'There is no such content, or it is not visible to this account.', {
    field,
    suggestedFix: 'Check the id; me.channel.contents lists your contents and features the published ones.',
  });
}
