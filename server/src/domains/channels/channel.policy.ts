import { AppError } from '../../kernel/errors.ts';
import type { LockedChannel } from './members.store.ts';

/** What the viewer is in a channel. */
export interface ChannelAuthority {
  /** Whether the viewer works on it, in any role. */
  readonly member: boolean;
  /** Whether that role allows what is asked for. */
  readonly may: boolean;
}

/** The authority as a command's statement tells it (`member` and `may` of its returns); null when there was no such channel. */
export function readChannelAuthority({ member, may }: Readonly<Record<string, unknown>>): ChannelAuthority | null {
  return typeof member === 'boolean' ? { member, may: may === true } : null;
}

/**
 * Who may change a channel: members whose role allows it. Channels are public, so one that belongs to someone else is
 * UNAUTHORIZED and not hidden. `authority` is null when there is no such channel. Null when the change is allowed.
 */
export function judgeChannelChange(authority: ChannelAuthority | null, field: string): AppError | null {
  if (authority === null) {
    return new AppError('RESOURCE_NOT_FOUND', 'There is no such channel.', {
      field,
      suggestedFix: 'Check the id; me.channel.id is your own channel.',
    });
  }
  if (authority.may) return null;
  if (authority.member) return roleTooLow(field);
  return new AppError('UNAUTHORIZED', 'This channel belongs to someone else.', {
    field,
    suggestedFix: 'Use the id of a channel of your own; me.channel.id is one.',
  });
}

/** UNAUTHORIZED for a member whose role is not enough. */
export function roleTooLow(field: string): AppError {
  return new AppError('UNAUTHORIZED', 'Your role in this channel does not allow this.', {
    field,
    suggestedFix: "Ask the channel's owner or a manager for another role.",
  });
}

/**
 * Who may give a channel out of hand: its owner, and never the one that came with the account, by which the account is known. Null
 * when it is allowed.
 */
export function judgeSurrender(channel: LockedChannel | null, past: 'transferred' | 'deleted', field: string): AppError | null {
  const authority = channel && { member: channel.actor !== null, may: channel.actor === 'OWNER' };
  const refused = judgeChannelChange(authority, field);
  if (refused || !channel?.primary) return refused;
  return new AppError('INVALID_INPUT', `This channel cannot be ${past}: it came with your account and stands for it.`, {
    field,
    suggestedFix: 'Choose a further channel, made with createChannel; me.channels lists them.',
  });
}
