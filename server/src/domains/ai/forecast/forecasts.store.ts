import { type Band, type ForecastDay, type ForecastParameters, LAST_DAY } from '@reelgraph/forecast';
import { newId } from '../../../kernel/ids.ts';
import type { Database, Executor, Transaction } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { ageOfForecast, channelViews, completeDays, viewsByDay, weekdayOf } from './forecast.sql.ts';

/** The model in use. */
export interface StoredForecastModel {
  readonly version: number;
  readonly trainedAt: string;
  /** Loss for held-out videos when it was trained; null without any. */
  readonly heldOutLoss: number | null;
  readonly parameters: ForecastParameters;
}

const MODEL = sql(
  'forecast_model',
  `select version, trained_at as "trainedAt", held_out_loss as "heldOutLoss", parameters from forecast_models
   order by version desc limit 1`,
);

/** Null before enough videos have outcomes. */
export function readForecastModel(db: Executor): Promise<StoredForecastModel | null> {
  return db.first(MODEL, []);
}

const KEEP = sql(
  'insert_forecast_model',
  `insert into forecast_models (id, version, trained_at, held_out_loss, parameters) values ($1, $2, $3, $4, $5)`,
);
const FORGET = sql('delete_old_forecast_models', 'delete from forecast_models where version < $1');

/** Replaces the model. */
export function keepForecastModel(db: Database, model: StoredForecastModel): Promise<void> {
  return db.transaction(async (tx) => {
    const { version, trainedAt, heldOutLoss, parameters } = model;
    await tx.run(KEEP, [newId(Date.parse(trainedAt)), version, trainedAt, heldOutLoss, JSON.stringify(parameters)]);
    await tx.run(FORGET, [version]);
  });
}

const CLAIM = sql(
  'claim_forecast_training',
  'update forecast_trainings set started_at = $1 where started_at < $2 returning true as claimed',
);

/** Claims the training run: false when another worker started one since `beforeMs`. */
export async function claimForecastTraining(db: Executor, nowMs: number, beforeMs: number): Promise<boolean> {
  return (await db.first(CLAIM, [new Date(nowMs).toISOString(), new Date(beforeMs).toISOString()])) !== null;
}

const RELEASE = sql('release_forecast_training', 'update forecast_trainings set started_at = $1');

/** Lets a training that failed be claimed again after `atMs` and the pause between trainings. */
export async function releaseForecastTraining(db: Executor, atMs: number): Promise<void> {
  await db.run(RELEASE, [new Date(atMs).toISOString()]);
}

/** A public content with the views of its first days. */
export interface PublishedContent {
  readonly contentId: string;
  readonly completeDays: number;
  readonly weekday: number;
  readonly channelViews: number | null;
  /** [day, views] of days with views. */
  readonly views: readonly (readonly [day: number, views: number])[];
}

const HISTORY = `k.content_id as "contentId", n.days as "completeDays", ${weekdayOf('k.published_at')} as weekday,
  ${channelViews('k.channel_id', 'k.published_at')} as "channelViews",
  ${viewsByDay('k.content_id', 'k.published_at', 'n.days')} as views`;
const DAYS = (now: string) => `lateral (select ${completeDays('k.published_at', now)} as days) n`;
const newest = (now: string, from: string, to: string, most: string) =>
  `(select k.content_id, k.channel_id, k.published_at from content_listings k
    where k.published_at >= ${now} - interval '${from}' and k.published_at < ${now} - interval '${to}'
    order by k.published_at desc, k.content_id desc limit ${most})`;

// Half of them old enough for the longest forecast, so that new ones do not crowd these out.
const MATERIAL = sql(
  'forecast_material',
  `select ${HISTORY}
   from (${newest('$1::timestamptz', '92 days', '2 days', '$2')}
         union all ${newest('$1::timestamptz', '2 years', '92 days', '$2')}) k
   cross join ${DAYS('$1::timestamptz')}
   order by k.content_id`,
);

/** The newest public contents for training: at most `most`, within two years. */
export function readForecastMaterial(db: Executor, nowIso: string, most: number): Promise<PublishedContent[]> {
  return db.run(MATERIAL, [nowIso, Math.ceil(most / 2)]);
}

const DUE = sql(
  'forecasts_due',
  `select ${HISTORY}
   from (select k.content_id, k.channel_id, k.published_at from content_listings k
         cross join ${DAYS('$1::timestamptz')} cross join lateral (select ${ageOfForecast('n.days')} as age) a
         where k.published_at > $1::timestamptz - interval '${LAST_DAY + 1} days' and n.days < ${LAST_DAY}
           and exists (select from content_daily d where d.content_id = k.content_id and d.views > 0
             and d.day >= (k.published_at at time zone 'UTC')::date
             and d.day < (k.published_at at time zone 'UTC')::date + a.age)
           and not exists (select from content_forecasts f where f.content_id = k.content_id and f.age >= a.age)
         order by k.published_at desc limit $2) k
   cross join ${DAYS('$1::timestamptz')}`,
);

/** Public contents that reached an age at which a forecast is made, and have views. */
export function forecastsDue(db: Executor, nowIso: string, most: number): Promise<PublishedContent[]> {
  return db.run(DUE, [nowIso, most]);
}

/** A forecast that was made when a content was `age` days old. */
export interface NewForecast {
  readonly contentId: string;
  readonly age: number;
  readonly madeAt: string;
  readonly model: Pick<StoredForecastModel, 'version' | 'trainedAt'> | null;
  /** The learned steps from this age. */
  readonly steps: Readonly<Record<string, StoredStep>>;
  readonly days: readonly ForecastDay[];
}

/** What is known of the model of a step; by horizon. */
export interface StoredStep {
  readonly kind: string;
  readonly videos: number;
  readonly coverage: number;
  readonly logError: number;
}

const INSERT = sql(
  'insert_content_forecasts',
  `insert into content_forecasts (content_id, age, made_at, model_version, model_trained_at, steps, totals, daily)
   select content_id, age, made_at, model_version, model_trained_at, steps, totals, daily
   from jsonb_to_recordset($1::jsonb) as r (content_id uuid, age smallint, made_at timestamptz, model_version integer,
     model_trained_at timestamptz, steps jsonb, totals jsonb, daily jsonb)
   where exists (select from contents c where c.id = r.content_id)
   on conflict do nothing`,
);

/** Stores forecasts; those of contents that were deleted meanwhile are dropped. */
export async function insertForecasts(db: Executor, forecasts: readonly NewForecast[]): Promise<void> {
  const rows = forecasts.map(({ contentId, age, madeAt, model, steps, days }) => ({
    ...{ content_id: contentId, age, made_at: madeAt, steps },
    ...{ model_version: model?.version ?? null, model_trained_at: model?.trainedAt ?? null },
    totals: days.map(({ total }) => total.map(rounded)),
    daily: days.map(({ views }) => views.map(rounded)),
  }));
  await db.run(INSERT, [JSON.stringify(rows)]);
}

function rounded(views: number): number {
  return Math.round(views * 10) / 10;
}

const UNCHECKED = sql(
  'rises_unchecked',
  `select k.content_id as "contentId", k.channel_id as "channelId", n.days as day, r.day as "checkedDay", r.rising,
     f.daily -> (n.days - f.age - 1) as band, f.age,
     ${viewsByDay('k.content_id', 'k.published_at', 'n.days')} as views
   from content_listings k
   cross join ${DAYS('$1::timestamptz')}
   join lateral (select f.age, f.daily from content_forecasts f
     where f.content_id = k.content_id and f.age < n.days order by f.age desc limit 1) f on true
   left join content_rises r on r.content_id = k.content_id
   where k.published_at > $1::timestamptz - interval '${LAST_DAY + 2} days' and n.days > coalesce(r.day, 0)
   order by k.published_at desc limit $2`,
);

/** A content whose last complete day was not compared with its forecast yet. */
export interface UncheckedContent {
  readonly contentId: string;
  readonly channelId: string;
  readonly day: number;
  /** The day that was compared last, and whether it was above its forecast; null before the first. */
  readonly checkedDay: number | null;
  readonly rising: boolean | null;
  /** The forecast of the day, made before it. */
  readonly band: Band;
  readonly views: PublishedContent['views'];
}

export function uncheckedContents(db: Executor, nowIso: string, most: number): Promise<UncheckedContent[]> {
  return db.run(UNCHECKED, [nowIso, most]);
}

const CHECKED = sql(
  'insert_content_rise',
  `insert into content_rises as r (content_id, day, rising) select c.id, $2, $3 from contents c where c.id = $1
   on conflict (content_id) do update set day = excluded.day, rising = excluded.rising where r.day < excluded.day
   returning true as written`,
);

/** Records that a day was compared; false when another worker did, or the content was deleted. */
export async function recordCheck(
  tx: Transaction,
  { contentId, day, rising }: { contentId: string; day: number; rising: boolean },
): Promise<boolean> {
  return (await tx.first(CHECKED, [contentId, day, rising])) !== null;
}
