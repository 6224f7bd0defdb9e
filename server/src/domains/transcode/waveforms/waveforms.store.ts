import type { Waveform } from '../../../media/index.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';

const REQUEST = sql(
  'request_waveform',
  `insert into waveforms (id, requested_at) values ($1, $2)
   on conflict (id) do update set requested_at = excluded.requested_at, failed_at = null
     where waveforms.failed_at is not null
   returning id`,
);

/** Notes that a waveform is wanted; false where it is there, or being made. */
export async function requestWaveform(tx: Executor, videoAssetId: string, now: string): Promise<boolean> {
  return (await tx.first(REQUEST, [videoAssetId, now])) !== null;
}

const KEEP = sql(
  'keep_waveform',
  'update waveforms set milliseconds_per_pair = $2, pairs = $3, failed_at = null where id = $1',
);

/** Stores a waveform; does nothing once its video is gone. */
export async function keepWaveform(db: Executor, videoAssetId: string, waveform: Waveform): Promise<void> {
  await db.run(KEEP, [videoAssetId, waveform.millisecondsPerPair, waveform.pairs]);
}

const FAIL = sql('fail_waveform', 'update waveforms set failed_at = $2 where id = $1 and pairs is null');

/** Notes that a waveform could not be made. */
export async function failWaveform(db: Executor, videoAssetId: string, now: string): Promise<void> {
  await db.run(FAIL, [videoAssetId, now]);
}
