import type { PlanLimits } from '../../../kernel/plans.ts';
import type { Platform } from '../../../platform/platform.ts';
import { monthOf } from '../../assets/index.ts';
import { lockOwnerOf } from '../../channels/index.ts';
import type { Broadcast } from '../broadcasts/broadcasts.store.ts';
import { broadcastMsLeft } from './live-quota.policy.ts';
import { addBroadcastCharge, broadcastUsage } from './live-usage.store.ts';

/** What is left for further broadcasts of the owner. */
export interface MinutesBalance {
  readonly leftMs: number;
  readonly limits: PlanLimits;
}

/**
 * Counts what was received of a broadcast for the owner of its channel, also beyond the limit: it has been received.
 * Null where the channel is gone.
 */
export function chargeBroadcast(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  { id, channelId }: Pick<Broadcast, 'id' | 'channelId'>,
  durationMs: number,
): Promise<MinutesBalance | null> {
  const nowMs = clock.now();
  return db.transaction(async (tx) => {
    const owner = await lockOwnerOf(tx, channelId, nowMs);
    if (!owner) return null;
    const { accountId, limits } = owner;
    await addBroadcastCharge(tx, { broadcastId: id, accountId, month: monthOf(nowMs), durationMs });
    const { usedMs } = await broadcastUsage(tx, accountId, new Date(nowMs).toISOString());
    return { leftMs: broadcastMsLeft(limits, usedMs), limits };
  });
}
