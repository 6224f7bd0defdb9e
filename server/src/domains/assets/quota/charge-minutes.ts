import { newId } from '../../../kernel/ids.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/database.ts';
import { noteProcessingMinutes } from '../../accounts/index.ts';
import { lockOwnerOf } from '../../channels/index.ts';
import { judgeMinutes, monthOf, nextMonthMs } from './quota.policy.ts';
import { charge, isCharged, processedMs } from './upload-charges.store.ts';

/**
 * Takes a video's length from the minutes that the owner of its channel has in this month, once per video. Videos of one owner come one
 * after the other, so that all together stay below the limit.
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
    const refused = judgeMinutes({ limits, usedMs, durationMs, resetsAtMs: nextMonthMs(nowMs) });
    if (refused) throw refused;
    await noteProcessingMinutes(tx, accountId, newId(nowMs), durationMs / 60_000, new Date(nowMs).toISOString());
    await charge(tx, { videoAssetId: video.videoAssetId, accountId, month: monthOf(nowMs), durationMs });
  });
}
