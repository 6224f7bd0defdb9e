import type { Clock } from '../../../platform/clock.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { lockOwnerOf } from '../../channels/index.ts';
import { insertCharge, spentCredits } from './generation-charges.store.ts';
import { checkCredits } from './generation-credits.policy.ts';
import { monthOf } from './quota.policy.ts';

/** A job that makes an enhancement, and what it takes. */
interface ChargedJob {
  readonly jobId: string;
  readonly channelId: string;
  readonly credits: number;
  /** The caller's argument name for the content, for errors. */
  readonly field: string;
}

/**
 * Takes the credits of a job from the channel's owner. Charges for one owner are serialized until their transactions
 * end, so that the sum stays below the limit.
 * @throws AppError INVALID_INPUT naming `field` when too few credits are left.
 */
export async function chargeCredits(
  { clock }: { readonly clock: Clock },
  tx: Transaction,
  { jobId, channelId, credits, field }: ChargedJob,
): Promise<void> {
  const nowMs = clock.now();
  const owner = await lockOwnerOf(tx, channelId, nowMs);
  if (!owner) throw new Error('The channel of a locked content has an owner.');
  const { accountId, limits } = owner;
  const spent = await spentCredits(tx, accountId, new Date(nowMs).toISOString());
  const refused = checkCredits({ limits, spent, credits, nowMs, field });
  if (refused) throw refused;
  await insertCharge(tx, { jobId, accountId, month: monthOf(nowMs), credits });
}
