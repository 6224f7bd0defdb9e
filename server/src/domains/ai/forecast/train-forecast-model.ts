import type { KnownVideo } from '@reelgraph/forecast';
import type { Platform } from '../../../platform/platform.ts';
import {
  claimForecastTraining,
  keepForecastModel,
  type PublishedContent,
  readForecastMaterial,
  readForecastModel,
  releaseForecastTraining,
} from './forecasts.store.ts';
import { historyOf } from './make-forecasts.ts';
import { type TrainingResult, trainInThread } from './train-in-thread.ts';

/** Time and memory grow with the number of videos. */
const MOST_VIDEOS = 6_000;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** One in so many videos is held out from every model. */
const HELD_OUT = 5;

type Needs = Pick<Platform, 'db' | 'clock' | 'log'>;

/** Trains once a day, on one worker; returns whether it did. A training that fails is repeated after an hour. */
export async function trainForecastIfDue(needs: Needs, signal: AbortSignal): Promise<boolean> {
  const nowMs = needs.clock.now();
  if (!(await claimForecastTraining(needs.db, nowMs, nowMs - DAY_MS))) return false;
  try {
    await trainForecastModel(needs, signal);
    return true;
  } catch (error) {
    await releaseForecastTraining(needs.db, nowMs - DAY_MS + HOUR_MS);
    throw error;
  }
}

/** Trains a challenger, which replaces the model in use if it forecasts held-out videos better. */
export async function trainForecastModel({ db, clock, log }: Needs, signal: AbortSignal): Promise<void> {
  const trainedAt = new Date(clock.now()).toISOString();
  const [material, champion] = await Promise.all([
    readForecastMaterial(db, trainedAt, MOST_VIDEOS),
    readForecastModel(db),
  ]);
  const videos = material.map(knownVideo);
  const result = await trainInThread({ videos, champion: champion?.parameters ?? null }, signal);
  const { parameters, loss, championLoss } = result;
  const replaced = isBetter(result);
  if (replaced)
    await keepForecastModel(db, { version: (champion?.version ?? 0) + 1, trainedAt, heldOutLoss: loss, parameters });
  const summary = { videos: videos.length, steps: parameters.length, loss, championLoss, replaced };
  log.info(summary, 'trained a forecast model');
}

/** A first model needs no comparison. */
export function isBetter({ parameters, loss, championLoss }: TrainingResult): boolean {
  if (parameters.length === 0) return false;
  return championLoss === null || (loss !== null && loss < championLoss);
}

function knownVideo(content: PublishedContent): KnownVideo {
  // The last digits of an id are random, and never change: what is held out once is held out always.
  const heldOut = Number.parseInt(content.contentId.slice(-6), 16) % HELD_OUT === 0;
  return { ...historyOf(content), heldOut };
}
