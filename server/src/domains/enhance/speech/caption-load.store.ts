import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';

/** How fast captions are made on this installation, and what comes before. */
export interface CaptionLoad {
  /** CPU time here, and time, for each millisecond of speech. */
  readonly cpuPerMs: number;
  readonly wallPerMs: number;
  /** Speech that waits or is being recognized, for each worker. */
  readonly aheadMs: number;
}

const LOAD = sql(
  'caption_load',
  `select s.cpu_per_cost as "cpuPerMs", s.cpu_per_cost * s.wall_per_cpu as "wallPerMs",
     (select coalesce(sum(v.duration_ms * (100 - j.progress) / 100.0), 0)
      from transcode_jobs j join caption_jobs k on k.job_id = j.id join video_assets v on v.id = j.video_asset_id
      where j.status in ('QUEUED', 'TRANSCODING') and k.kind = 'SPEECH')::float8
     / greatest(1, (select count(*) from encode_workers where seen_at > now() - interval '20 seconds')) as "aheadMs"
   from encode_speed('speech') s`,
);

/** The load for captions from speech that would be ordered now. */
export async function readCaptionLoad(db: Executor): Promise<CaptionLoad> {
  const load = await db.first<CaptionLoad>(LOAD, []);
  if (!load) throw new Error('the load could not be read');
  return load;
}

const TRANSLATION = sql(
  'translation_load',
  `select s.cpu_per_cost * s.wall_per_cpu as "wallPerCost" from encode_speed('translation') s`,
);

/** Time that translations take here for each millisecond of their estimated cost. */
export async function readTranslationLoad(db: Executor): Promise<number> {
  return (await db.first<{ wallPerCost: number }>(TRANSLATION, []))?.wallPerCost ?? 1;
}
