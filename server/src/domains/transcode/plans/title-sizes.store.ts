import type { EncodedChunk } from '../../../media/index.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';

const SAMPLES = sql(
  'encoded_samples',
  `select result from encode_chunks where job_id = $1 and is_sample order by number`,
);

/** What was encoded of the samples of a job; null while some are missing. */
export async function encodedSamples(tx: Executor, jobId: string): Promise<EncodedChunk[] | null> {
  const rows = await tx.run<{ result: EncodedChunk | null }>(SAMPLES, [jobId]);
  const results = rows.map(({ result }) => result).filter((result) => result !== null);
  return results.length === rows.length ? results : null;
}

const KEEP = sql(
  'keep_sizes_of_plan',
  `with plan as (
     update encode_plans set plan = jsonb_set(plan, '{only}', to_jsonb($2::text[])) where job_id = $1
   )
   update encode_chunks set cost_ms = greatest(1, round(cost_ms * $3::float8))
   where job_id = $1 and kind = 'video' and state = 'WAITING'`,
);

/** Has only these sizes encoded from now on. Chunks that wait take `share` of the CPU time that was estimated. */
export async function keepSizes(tx: Executor, jobId: string, folders: readonly string[], share: number): Promise<void> {
  await tx.run(KEEP, [jobId, folders, share]);
}
