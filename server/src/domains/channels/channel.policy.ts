import { AppError } from '../../kernel/errors.ts';
import { type Text, t } from '../../kernel/languages/message.ts';
import { fact, not, type Policy, permission, state } from '../../kernel/policy.ts';

/** The viewer's role in a channel. */
export interface ChannelAuthority {
  /** Whether the viewer is a member, in any role. */
  readonly member: boolean;
  /** Whether that role grants the required permission. */
  readonly may: boolean;
}

/**
 * Who may change a channel: members whose role allows it. Channels are public, so one that belongs to someone else is
 * UNAUTHORIZED and not hidden.
 */
export const CHANNEL_CHANGE: Policy<ChannelAuthority> = {
  missing: channelNotFound,
  requires: [permission(fact('may'), (field, { member }) => (member ? roleTooLow(field) : otherChannel(field)))],
};

/** RESOURCE_NOT_FOUND for a channel given in `field`. */
export function channelNotFound(field: string): AppError {
  return new AppError('RESOURCE_NOT_FOUND', t`There is no such channel.`, {
    field,
    suggestedFix: t`Check the id; me.channel.id is your own channel.`,
  });
}

/** UNAUTHORIZED for a channel of which the viewer is not a member. */
export function otherChannel(field: string): AppError {
  return new AppError('UNAUTHORIZED', t`This channel belongs to someone else.`, {
    field,
    suggestedFix: t`Use the id of one of your channels, such as me.channel.id.`,
  });
}

/** UNAUTHORIZED for a member whose role is not enough. */
export function roleTooLow(field: string): AppError {
  return new AppError('UNAUTHORIZED', t`Your role in this channel does not allow this.`, {
    field,
    suggestedFix: t`Ask the channel's owner or a manager for another role.`,
  });
}

/** INVALID_INPUT for what cannot be done with the account's test channel. */
export function testChannel(field: string): AppError {
  return new AppError('INVALID_INPUT', t`This is your test channel, which belongs to your account alone.`, {
    field,
    suggestedFix: t`Choose another channel. What is in the test channel is deleted after 24 hours.`,
  });
}

/** RESOURCE_ALREADY_EXISTS for a handle that another channel has. */
export function handleTaken(handle = ''): AppError {
  return new AppError('RESOURCE_ALREADY_EXISTS', t`The handle ${handle} is taken.`, {
    field: 'input.handle',
    suggestedFix: t`Choose another handle.`,
  });
}

/** A channel to delete or transfer, as the caller sees it. */
export interface SurrenderedChannel extends ChannelAuthority {
  /** Whether it is the first channel of its owner's account, which is identified by it. */
  readonly primary: boolean;
  /** Whether it is the account's test channel. */
  readonly test: boolean;
}

/**
 * Who may delete or transfer a channel: its owner, except the account's first channel, with this message, and its test
 * channel.
 */
export function surrender(primary: Text): Policy<SurrenderedChannel> {
  return {
    missing: channelNotFound,
    requires: [
      ...CHANNEL_CHANGE.requires,
      state(not(fact('primary')), (field) => {
        return new AppError('INVALID_INPUT', primary, {
          field,
          suggestedFix: t`Choose a channel created with createChannel; me.channels lists them.`,
        });
      }),
      state(not(fact('test')), testChannel),
    ],
  };
}
