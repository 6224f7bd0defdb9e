import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { processedMsOf } from './processed-minutes.ts';

const USED = sql('processed_ms', `select ${processedMsOf('$1', '$2::timestamptz')} as used`);

/** Milliseconds of video processed for the account in the month of `now` (ISO 8601). */
export async function processedMs(tx: Executor, accountId: string, now: string): Promise<number> {
  return (await tx.first<{ used: number }>(USED, [accountId, now]))?.used ?? 0;
}

const CHARGED = sql('video_is_charged', 'select 1 from upload_charges where video_asset_id = $1');

/** Whether this video was already charged: another attempt is free. */
export async function isCharged(tx: Executor, videoAssetId: string): Promise<boolean> {
  return (await tx.first(CHARGED, [videoAssetId])) !== null;
}

const CHARGE = sql(
  'charge_upload',
  'insert into upload_charges (video_asset_id, account_id, month, duration_ms) values ($1, $2, $3, $4) ' +
    'on conflict do nothing',
);

/**
 * Charges the minutes of a video; a job that fails or is cancelled refunds them ({@link refundCharges}). `month` is its
 * first day.
 */
export async function charge(
  tx: Executor,
  charged: {
    readonly videoAssetId: string;
    readonly accountId: string;
    readonly month: string;
    readonly durationMs: number;
  },
): Promise<void> {
  await tx.run(CHARGE, [charged.videoAssetId, charged.accountId, charged.month, charged.durationMs]);
}
