import { AppError } from '../../kernel/errors.ts';
import { plural, t } from '../../kernel/languages/message.ts';
import type { OwnerAccount } from './owners.store.ts';

/** The error when the account cannot own another channel; null when it can. */
export function checkChannelQuota(
  { limits, channels }: Pick<OwnerAccount, 'limits' | 'channels'>,
  field: string,
): AppError | null {
  const { name, maxChannels } = limits;
  if (channels < maxChannels) return null;
  return new AppError(
    'INVALID_INPUT',
    t`The ${name} plan allows ${plural(maxChannels, { one: '# channel', other: '# channels' })}, and this account owns
      ${channels}.`,
    {
      field,
      suggestedFix: t`Delete or transfer a channel that is not needed, or choose a plan with more channels.`,
    },
  );
}

/** The error when the account cannot take over a channel that stores this much; null when it can. */
export function checkTransferQuota(owner: OwnerAccount, channelBytes: number, field: string): AppError | null {
  const full = checkChannelQuota(owner, field);
  if (full) return full;
  const { name, storageBytes } = owner.limits;
  if (owner.storedBytes + channelBytes <= storageBytes) return null;
  return new AppError(
    'INVALID_INPUT',
    t`What the channel stores (${channelBytes} bytes) does not fit into the ${name} plan of that account.`,
    {
      field,
      suggestedFix: t`Delete contents that are not needed, or let the new owner choose a plan with more storage first.`,
    },
  );
}
