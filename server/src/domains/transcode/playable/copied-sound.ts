import { join } from 'node:path';
import {
  type CopiedSound,
  describeCopiedSound,
  encodeCopiedSound,
  firstSamplesOf,
  INDEX_PATH,
  INIT_NAME,
  PLAYLIST_NAME,
  type Rendition,
  type Runner,
  readCopiedSound,
  SOUND_PATH,
  SOUND_TRACK,
  type StandardPlan,
  type StoredSource,
  segmentName,
} from '../../../media/index.ts';
import type { Attempt, Work } from '../../../platform/jobs/attempts.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { ObjectStore } from '../../../platform/storage/object-store.ts';
import {
  copiedSoundPrefix,
  copyPrefix,
  indexedSamples,
  rangesOf,
  readIndex,
  storedBytes,
  watchProgress,
  workFolders,
} from '../../assets/index.ts';
import {
  type ClaimedSound,
  completeSound,
  MOST_SOUND_FAILURES,
  releaseSound,
  renewSound,
} from './sound-segments.store.ts';

interface Tools {
  readonly platform: Pick<Platform, 'config' | 'log' | 'db' | 'store'>;
  readonly runner: Runner;
}

type WorkerTools = Tools & { readonly platform: Pick<Platform, 'jobs'> };

interface Video {
  readonly contentId: string;
  readonly videoAssetId: string;
}

/** What plays beside copied pictures. */
export interface StoredSound {
  readonly rendition: Rendition;
  /** What its segments are encoded by, stored with the index. */
  readonly description: StandardPlan['files'][number];
}

/**
 * Encodes the first segment of sound that has to be encoded, and stores it with its playlist; null where it cannot be
 * decoded.
 */
export async function storeFirstSound(
  { platform, runner }: Tools,
  { contentId, videoAssetId }: Video,
  plan: StandardPlan & { readonly sound: NonNullable<StandardPlan['sound']> },
  file: StoredSource,
  signal: AbortSignal,
): Promise<StoredSound | null> {
  const { config, log, store } = platform;
  const samples = firstSamplesOf(plan, SOUND_TRACK);
  return workFolders(config.DATA_DIR, log).use(async (folder) => {
    const work = { file, samples, workDir: join(folder, 'sound'), signal };
    const sound = await readCopiedSound(runner, plan.sound, work);
    if (!sound) return null;
    const { init, bytes } = await encodeCopiedSound(runner, sound, 0, work);
    const { playlist, rendition } = describeCopiedSound(sound);
    const prefix = `${copiedSoundPrefix(contentId, videoAssetId)}${rendition.folder}/`;
    const put = (name: string, content: Buffer, contentType: string) =>
      store.put(prefix + name, content, { contentType });
    await Promise.all([
      put(INIT_NAME, init, 'audio/mp4'),
      put(segmentName(0), bytes, 'video/iso.segment'),
      put(PLAYLIST_NAME, Buffer.from(playlist), 'application/vnd.apple.mpegurl'),
    ]);
    const description = {
      path: SOUND_PATH,
      contentType: 'application/json',
      bytes: Buffer.from(JSON.stringify(sound)),
    };
    return { rendition, description };
  });
}

/** How the sound of a video is encoded on request; null where it is not. */
export async function copiedSoundOf(
  store: ObjectStore,
  { contentId, videoAssetId }: Video,
): Promise<CopiedSound | null> {
  const stored = await storedBytes(store, copyPrefix(contentId, videoAssetId) + SOUND_PATH);
  // Written by `storeFirstSound`.
  return stored && (JSON.parse((await stored.read(0, stored.sizeBytes)).toString()) as CopiedSound);
}

/**
 * Encodes a claimed segment of sound and stores it. Where its process dies it is not lost: another worker claims it
 * when the lease ends. After three failures it is given up.
 */
export async function encodeClaimedSound(
  tools: WorkerTools,
  claimed: ClaimedSound,
  stopping: AbortSignal,
): Promise<void> {
  const { db, log, jobs } = tools.platform;
  const lease = watchProgress(() => renewSound(db, claimed));
  let attempt: Attempt | null = null;
  try {
    const signal = AbortSignal.any([stopping, lease.signal]);
    const begun = await jobs.attempts.begin(workOf(claimed), signal);
    if (begun.kind === 'wait') return await releaseSound(db, claimed, begun);
    if (begun.kind === 'give-up') return await releaseSound(db, claimed, { failures: MOST_SOUND_FAILURES });
    attempt = begun.attempt;
    await encodeAndStore(tools, claimed, signal);
    await completeSound(db, claimed);
    await attempt.end('DONE');
  } catch (error) {
    if (!stopping.aborted) log.warn({ error, ...claimed }, 'a segment of sound could not be encoded');
    await releaseSound(db, claimed, { failures: stopping.aborted ? 0 : 1 });
    await attempt?.end(stopping.aborted ? 'RETURNED' : 'FAILED');
  } finally {
    await lease.stop();
  }
}

/** As attempts know it. */
export function workOf({ videoAssetId, number }: ClaimedSound): Work {
  return { work: `encode-sound ${videoAssetId} ${number}`, subject: null };
}

async function encodeAndStore({ platform, runner }: Tools, claimed: ClaimedSound, signal: AbortSignal): Promise<void> {
  const { config, log, store } = platform;
  const { contentId, videoAssetId, number } = claimed;
  const sound = await copiedSoundOf(store, claimed);
  const { value: index } = await readIndex(store, copyPrefix(contentId, videoAssetId) + INDEX_PATH);
  if (!sound || !index) throw new Error('the video is not played as it was uploaded any more');
  const { folder: name } = describeCopiedSound(sound).rendition;
  const key = `${copiedSoundPrefix(contentId, videoAssetId)}${name}/${segmentName(number)}`;
  // Of a worker that was killed after it, or for a request that came just before.
  if (await store.head(key)) return;
  const samples = await indexedSamples(index, SOUND_TRACK, number + 1);
  if (!samples) throw new Error('there is no such segment');
  await workFolders(config.DATA_DIR, log).use(async (folder) => {
    const work = { file: rangesOf(store, index.directory.source), samples, workDir: join(folder, 'sound'), signal };
    const { bytes } = await encodeCopiedSound(runner, sound, number, work);
    // The video may have been deleted meanwhile.
    signal.throwIfAborted();
    await store.put(key, bytes, { contentType: 'video/iso.segment' });
  });
}
