import { AppError, ERROR_CATALOGUE } from '../../kernel/errors.ts';
import type { Platform } from '../../platform/platform.ts';
import { type Repeated, repeat } from '../../platform/repeat.ts';
import type { AssetsDomain } from '../assets/index.ts';
import { learnCategories } from './category-model.ts';
import { DESCRIPTION_SEEN, featuresOf, wordsOf } from './ctr-model/features.ts';
import { type CountedContent, trainCtrModel } from './ctr-model/train.ts';
import { MEASURED_SIDE, measureImage } from './measure-image.ts';
import {
  claimTraining,
  impressionsSince,
  keepModel,
  listCategories,
  type Material,
  readMaterial,
  readModel,
  storeImageFeatures,
  type UnmeasuredImage,
  unmeasuredImages,
} from './virality.store.ts';

/** Training uses the newest contents: behaviour changes, and fitting time grows with their number. */
const NEWEST = 10_000;
/** Days of impressions. */
const DAYS = 365;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const EVERY_MS = 600_000;
const IMAGES_PER_BATCH = 20;
/** The model is retrained within the day after this many new impressions, and half as many as it was trained on. */
const MANY_IMPRESSIONS = 1_000;
/** Minimum width of analyzed variants: larger than the measured size, so that compression artifacts do not matter. */
const WIDE_ENOUGH = 2 * MEASURED_SIDE;

type Needs = Pick<Platform, 'db' | 'clock' | 'log'> & {
  readonly store: Pick<Platform['store'], 'withLocalFile'>;
  readonly resizeImage: AssetsDomain['resizeImage'];
};

/** Trains the model every day, and more often with much new data; any number of workers may run it. */
export function trainingSchedule(needs: Needs, everyMs: number = EVERY_MS): Repeated {
  return repeat(needs.log, 'the prediction model could not be trained, will be retried', everyMs, async () => {
    if (await measureImages(needs)) return true;
    await trainIfDue(needs);
    return false;
  });
}

/**
 * Measures card images that were not measured yet; returns whether there may be more. Invalid and deleted images are
 * not retried; transient errors are, next time.
 */
export async function measureImages({ db, clock, log, store, resizeImage }: Needs): Promise<boolean> {
  const images = await unmeasuredImages(db, NEWEST, IMAGES_PER_BATCH);
  let done = 0;
  for (const image of images) {
    const key = image.objectPrefix + fileToMeasure(image);
    try {
      const small = await store.withLocalFile(key, (path) => resizeImage(path, MEASURED_SIDE)).catch(nullWhereUnusable);
      await storeImageFeatures(db, image.id, small && measureImage(small), new Date(clock.now()).toISOString());
      done += 1;
    } catch (error) {
      log.warn({ error, key }, 'an image could not be measured, will be retried');
    }
  }
  return done === IMAGES_PER_BATCH;
}

function nullWhereUnusable(error: unknown): null {
  if (error instanceof AppError && !ERROR_CATALOGUE[error.code].retryable) return null;
  throw error;
}

function fileToMeasure({ variants }: UnmeasuredImage): string {
  const byWidth = variants.filter(({ format }) => format === 'JPEG').sort((a, b) => a.width - b.width);
  return (byWidth.find(({ width }) => width >= WIDE_ENOUGH) ?? byWidth.at(-1))?.file ?? '';
}

/** Trains a model if one is due and no other worker is training; returns whether it did. */
export async function trainIfDue(needs: Omit<Needs, 'store' | 'resizeImage'>): Promise<boolean> {
  const { db, clock } = needs;
  const nowMs = clock.now();
  const model = await readModel(db);
  const trainedMs = model ? Date.parse(model.trainedAt) : Number.NEGATIVE_INFINITY;
  const isOld = nowMs >= trainedMs + DAY_MS;
  if (model && !isOld) {
    const fresh = await impressionsSince(db, utcDay(trainedMs));
    if (nowMs < trainedMs + HOUR_MS || fresh < Math.max(MANY_IMPRESSIONS, model.impressions / 2)) return false;
  }
  if (!(await claimTraining(db, nowMs, nowMs - HOUR_MS))) return false;
  await trainVirality(needs);
  return true;
}

/** Trains on all data and replaces the current model. */
export async function trainVirality({ db, clock, log }: Pick<Needs, 'db' | 'clock' | 'log'>): Promise<void> {
  const nowMs = clock.now();
  const [material, categories] = await Promise.all([
    readMaterial(db, NEWEST, utcDay(nowMs - DAYS * DAY_MS), DESCRIPTION_SEEN),
    listCategories(db),
  ]);
  const counted = material.flatMap(countedContent);
  const trained = await trainCtrModel(counted);
  const labelled = material.flatMap(({ category, title, description }) =>
    category === null ? [] : [{ category, words: wordsOf(`${title} ${description}`) }],
  );
  const model = {
    trainedAt: new Date(nowMs).toISOString(),
    contents: counted.length,
    impressions: counted.reduce((sum, { impressions }) => sum + impressions, 0),
    clicks: counted.reduce((sum, { clicks }) => sum + clicks, 0),
    calibrationError: trained?.calibrationError ?? null,
    featureGain: trained?.featureGain ?? null,
    parameters: { ctr: trained?.model ?? null, categories: await learnCategories(labelled, categories) },
  };
  await keepModel(db, model, trained?.channels ?? new Map());
  const { parameters: _, ...summary } = model;
  log.info(summary, 'trained the prediction model');
}

/** Only contents with a measured image count. */
function countedContent(material: Material): CountedContent[] {
  const { title, description, category, channelId, impressions, clicks } = material;
  const { brightness, contrast, colourfulness, sharpness, width, height } = material;
  if (impressions === 0 || brightness === null || contrast === null || colourfulness === null || sharpness === null)
    return [];
  if (width === null || height === null) return [];
  const image = { brightness, contrast, colourfulness, sharpness, width, height };
  return [{ features: featuresOf({ title, description, category, image }), channelId, impressions, clicks }];
}

function utcDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
