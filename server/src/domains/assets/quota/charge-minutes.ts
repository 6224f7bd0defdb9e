import { newId } from '../../../kernel/ids.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/database.ts';
import { noteProcessingMinutes } from '../../accounts/index.ts';
import { lockOwnerOf } from '../../channels/index.ts';
import { checkMinutesQuota, monthOf, nextMonthMs } from './quota.policy.ts';
import { charge, isCharged, processedMs } from './upload-charges.store.ts';

/**
 * Charges a video's length to the monthly minutes of the channel's owner, once per video. Charges for one owner are
 * serialized, so that the sum stays below the limit.
 * @throws AppError TRANSCODE_FAILED when too few minutes are left.
 */
export async function chargeMinutes(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  video: { readonly videoAssetId: string; readonly channelId: string; readonly durationMs: number },
): Promise<void> {
  const nowMs = clock.now();
  await db.transaction(async (tx) => {
    const owner = await lockOwnerOf(tx, video.channelId, nowMs);
    if (!owner || (await isCharged(tx, video.videoAssetId))) return;
    const { accountId, limits } = owner;
    const durationMs = Math.ceil(video.durationMs);
    const usedMs = await processedMs(tx, accountId, new Date(nowMs).toISOString());
    const refused = checkMinutesQuota({ limits, usedMs, durationMs, resetsAtMs: nextMonthMs(nowMs) });
    if (refused) throw refused;
    await noteProcessingMinutes(tx, accountId, newId(nowMs), durationMs / 60_000, new Date(nowMs).toISOString());
    await charge(tx, { videoAssetId: video.videoAssetId, accountId, month: monthOf(nowMs), durationMs });
  });
}
