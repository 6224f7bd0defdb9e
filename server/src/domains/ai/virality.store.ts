import { newId } from '../../kernel/ids.ts';
import type { Database, Executor } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/statement.ts';
import type { Category, CategoryModel } from './category-model.ts';
import type { ChannelEffect, CtrModel } from './ctr-model/ctr-model.ts';
import type { ImageFeatures } from './ctr-model/features.ts';

/** A model: `ctr` is null while there are no impressions. */
export interface ViralityParameters {
  readonly ctr: CtrModel | null;
  readonly categories: CategoryModel;
}

export interface StoredModel {
  readonly id: string;
  readonly trainedAt: string;
  readonly contents: number;
  readonly impressions: number;
  readonly clicks: number;
  readonly calibrationError: number | null;
  readonly featureGain: number | null;
  readonly parameters: ViralityParameters;
}

const MODEL = sql(
  'virality_model',
  `select id, trained_at as "trainedAt", contents, impressions, clicks, calibration_error as "calibrationError",
    feature_gain as "featureGain", parameters
   from virality_models order by trained_at desc, id desc limit 1`,
);

/** The model in use; null before the first training. */
export function readModel(db: Executor): Promise<StoredModel | null> {
  return db.first(MODEL, []);
}

const KEEP = sql(
  'insert_virality_model',
  `insert into virality_models (id, trained_at, contents, impressions, clicks, calibration_error, feature_gain,
    parameters)
   values ($1, $2, $3, $4, $5, $6, $7, $8)`,
);
const KEEP_CHANNELS = sql(
  'insert_virality_channels',
  `insert into virality_channels (model_id, channel_id, mean, variance, pull)
   select $1, channel_id, mean, variance, pull
   from jsonb_to_recordset($2::jsonb) as r (channel_id uuid, mean float8, variance float8, pull float8[])`,
);
const FORGET = sql('delete_old_virality_models', 'delete from virality_models where id <> $1');

/** Replaces the model: data deleted since the previous one is gone from it. */
export function keepModel(
  db: Database,
  model: Omit<StoredModel, 'id'>,
  channels: ReadonlyMap<string, ChannelEffect>,
): Promise<void> {
  return db.transaction(async (tx) => {
    const id = newId(Date.parse(model.trainedAt));
    const { trainedAt, contents, impressions, clicks, calibrationError, featureGain, parameters } = model;
    await tx.run(KEEP, [
      id,
      trainedAt,
      contents,
      impressions,
      clicks,
      calibrationError,
      featureGain,
      JSON.stringify(parameters),
    ]);
    await tx.run(KEEP_CHANNELS, [
      id,
      JSON.stringify([...channels].map(([channel_id, effect]) => ({ channel_id, ...effect }))),
    ]);
    await tx.run(FORGET, [id]);
  });
}

const CHANNEL = sql(
  'virality_channel',
  'select mean, variance, pull from virality_channels where model_id = $1 and channel_id = $2',
);

/** The channel effect in a model; null when it was not trained with its contents. */
export function readChannelEffect(db: Executor, modelId: string, channelId: string): Promise<ChannelEffect | null> {
  return db.first(CHANNEL, [modelId, channelId]);
}

const CATEGORIES = sql('virality_categories', 'select id, slug, name from categories order by name, id');

/** All categories, by name. */
export function listCategories(db: Executor): Promise<Category[]> {
  return db.run(CATEGORIES, []);
}

// The image that cards show, chosen like in the web application.
const CARD_IMAGE = `lateral (
  select i.id, i.width, i.height, i.object_prefix, i.variants from image_assets i
  where i.content_id = k.content_id and i.purpose in ('THUMBNAIL', 'POSTER') order by i.purpose = 'THUMBNAIL' desc,
    i.created_at desc limit 1) i`;
const NEWEST =
  'select content_id, channel_id, published_at from content_listings order by published_at desc, content_id desc ' +
  'limit $1';

const UNMEASURED = sql(
  'unmeasured_images',
  `select i.id, i.object_prefix as "objectPrefix", i.variants from (${NEWEST}) k cross join ${CARD_IMAGE}
   where not exists (select from image_features f where f.image_id = i.id) limit $2`,
);

export interface UnmeasuredImage {
  readonly id: string;
  readonly objectPrefix: string;
  readonly variants: readonly { readonly file: string; readonly width: number; readonly format: string }[];
}

/** Card images that were not measured yet. */
export function unmeasuredImages(db: Executor, newest: number, most: number): Promise<UnmeasuredImage[]> {
  return db.run(UNMEASURED, [newest, most]);
}

const MEASURED = sql(
  'insert_image_features',
  `insert into image_features (image_id, measured_at, brightness, contrast, colourfulness, sharpness)
   select id, $2, $3, $4, $5, $6 from image_assets where id = $1 on conflict do nothing`,
);

/** Stores the features of an image; null: it cannot be read, and is not retried. */
export async function storeImageFeatures(
  db: Executor,
  imageId: string,
  features: ImageFeatures | null,
  now: string,
): Promise<void> {
  const values = features
    ? [features.brightness, features.contrast, features.colourfulness, features.sharpness]
    : [null, null, null, null];
  await db.run(MEASURED, [imageId, now, ...values]);
}

// Viewers of a test saw other titles and images than the content has: their impressions are left out.
const MATERIAL = sql(
  'virality_material',
  `select c.title, left(c.summary, $3) as description, k.channel_id as "channelId", g.category_id as category,
     greatest(s.impressions - o.impressions, 0) as impressions,
     greatest(least(s.clicks - o.clicks, s.impressions - o.impressions), 0) as clicks, i.width, i.height,
     f.brightness, f.contrast, f.colourfulness, f.sharpness
   from (${NEWEST}) k
   join contents c on c.id = k.content_id
   cross join lateral (
     select coalesce(sum(d.impressions), 0)::bigint as impressions, coalesce(sum(d.clicks), 0)::bigint as clicks
     from content_daily d where d.content_id = k.content_id and d.day >= $2::date) s
   cross join lateral (
     select coalesce(sum(v.impressions), 0)::bigint as impressions, coalesce(sum(v.clicks), 0)::bigint as clicks
     from content_tests t join content_test_variants v on v.test_id = t.id and v.position <> coalesce(t.applied, 0)
     where t.content_id = k.content_id and t.started_at >= $2::date at time zone 'UTC') o
   left join lateral (
     select category_id from content_categories where content_id = k.content_id order by position, category_id
       limit 1) g on true
   left join ${CARD_IMAGE} on true
   left join image_features f on f.image_id = i.id
   order by k.content_id`,
);

type Nullable<T> = { readonly [K in keyof T]: T[K] | null };

/** A public content for training. */
export interface Material extends Nullable<ImageFeatures> {
  readonly title: string;
  readonly description: string;
  readonly channelId: string;
  /** Identifier of its first category. */
  readonly category: string | null;
  readonly impressions: number;
  readonly clicks: number;
}

/** The newest public contents with their counts since `day` (UTC, YYYY-MM-DD), as they look now. */
export function readMaterial(
  db: Executor,
  newest: number,
  day: string,
  descriptionLength: number,
): Promise<Material[]> {
  return db.run(MATERIAL, [newest, day, descriptionLength]);
}

const SHOWN = sql(
  'impressions_since',
  'select coalesce(sum(impressions), 0)::bigint as impressions from content_daily where day >= $1::date',
);

/** Impressions of all contents since `day`. */
export async function impressionsSince(db: Executor, day: string): Promise<number> {
  return (await db.first<{ impressions: number }>(SHOWN, [day]))?.impressions ?? 0;
}

const CLAIM = sql(
  'claim_virality_training',
  'update virality_trainings set started_at = $1 where started_at < $2 returning true as claimed',
);

/** Claims the training run: false when another worker started one since `beforeMs`. */
export async function claimTraining(db: Executor, nowMs: number, beforeMs: number): Promise<boolean> {
  return (await db.first(CLAIM, [new Date(nowMs).toISOString(), new Date(beforeMs).toISOString()])) !== null;
}
