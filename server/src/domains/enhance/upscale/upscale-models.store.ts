import type { MeasuredProvider, ModelFacts, Provider } from '../../../media/index.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';

/** A model that enlarges videos, as a worker found it. */
export interface UpscaleModel {
  readonly name: string;
  readonly source: 'BUILT_IN' | 'OPERATOR';
  readonly state: 'READY' | 'REFUSED';
  /** Why it cannot be used, for operators; null where it can. */
  readonly reason: string | null;
  /** SHA-256 of its file in hexadecimal; null for those of the platform, and for files that were not read. */
  readonly digest: string | null;
  /** Of the probe that found out the rest; null where there was none. */
  readonly probeVersion: number | null;
  readonly facts: ModelFacts | null;
  /** CPU seconds for a million pixels on one core of an ordinary server; null: that of the platform's models. */
  readonly cost: number | null;
  /** What it is run with; null: the CPU, which was not measured. */
  readonly provider: Provider | null;
  readonly measured: readonly MeasuredProvider[];
}

const LIST = sql(
  'upscale_models',
  `select name, source, state, reason, digest, probe_version as "probeVersion", facts, cost, provider, measured
   from upscale_models order by source, name`,
);

/** All models, those of the platform first; none where no worker has looked yet. */
export function upscaleModels(db: Executor): Promise<UpscaleModel[]> {
  return db.run<UpscaleModel>(LIST, []);
}

const REPLACE = sql(
  'replace_upscale_models',
  `with found as (
     select * from jsonb_to_recordset($1::jsonb) as f (name text, source text, state text, reason text, digest text,
       "probeVersion" integer, facts jsonb, cost double precision, provider text, measured jsonb)
   ),
   gone as (delete from upscale_models m where not exists (select from found f where f.name = m.name))
   insert into upscale_models (name, source, state, reason, digest, probe_version, facts, cost, provider, measured,
     found_at)
   select name, source, state, reason, digest, "probeVersion", nullif(facts, 'null'), cost, provider, measured, $2
   from found
   on conflict (name) do update
     set source = excluded.source, state = excluded.state, reason = excluded.reason, digest = excluded.digest,
       probe_version = excluded.probe_version, facts = excluded.facts, cost = excluded.cost,
       provider = excluded.provider, measured = excluded.measured, found_at = excluded.found_at`,
);

/** Writes what a worker found in place of what was found before. */
export async function replaceUpscaleModels(db: Executor, found: readonly UpscaleModel[], now: string): Promise<void> {
  await db.run(REPLACE, [JSON.stringify(found), now]);
}
