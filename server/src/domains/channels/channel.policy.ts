import { AppError } from '../../kernel/errors.ts';

/**
 * Who may change a channel: its owner. Channels are public, so one that belongs to someone else is UNAUTHORIZED and not
 * hidden. `owned` is null when there is no such channel. Null when the change is allowed.
 */
export function judgeChannelChange(owned: boolean | null, field: string): AppError | null {
  if (owned === null) {
    return new AppError('RESOURCE_NOT_FOUND', 'There is no such channel.', {
      field,
      suggestedFix: 'Check the id; me.channel.id is your own channel.',
    });
  }
  if (owned) return null;
  return new AppError('UNAUTHORIZED', 'This channel belongs to someone else.', {
    field,
    suggestedFix: 'Use the id of a channel of your own; me.channel.id is one.',
  });
}
