import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  INDEX_PATH,
  INIT_NAME,
  inspectFile,
  isVideo,
  POSTER_WINDOW_MS,
  posterWindowStartMs,
  type Runner,
  takePoster,
} from '../../../media/index.ts';
import type { JobRun } from '../../../platform/jobs/job.ts';
import type { Platform } from '../../../platform/platform.ts';
import {
  cutIndexed,
  type ImageTools,
  keepOrDiscard,
  lockContentWithoutPoster,
  newestPlayableVideo,
  readIndex,
  renderImage,
  renditionsOfVideo,
  workFolders,
} from '../../assets/index.ts';
import type { LocalSources } from '../sources/local-sources.ts';
import { type PosterlessVideo, posterlessVideo } from './early-poster.store.ts';

export interface EarlyPosterTools extends ImageTools {
  readonly platform: Pick<Platform, 'config' | 'clock' | 'log' | 'db' | 'store'>;
  readonly runner: Runner;
  readonly sources: LocalSources;
  /** From `probeTools`. */
  readonly toneMapping: boolean;
}

/**
 * Takes the poster of a video that is playable but not encoded, the one that its package would have, and makes it that
 * of the content unless it has one by then.
 */
export async function takeEarlyPoster(tools: EarlyPosterTools, videoAssetId: string, run: JobRun): Promise<void> {
  const { config, db, log } = tools.platform;
  const video = await posterlessVideo(db, videoAssetId);
  if (!video) return;
  const { contentId } = video;
  await workFolders(config.DATA_DIR, log).use(async (folder) => {
    const path = video.indexPrefix
      ? await fromSegments(tools, videoAssetId, video, video.indexPrefix, folder, run.signal)
      : await fromSource(tools, video, folder, run.signal);
    if (path === null) return log.info({ videoAssetId }, 'no poster could be taken before the video is encoded');
    const rendered = await renderImage(tools, { path, purpose: 'POSTER' });
    await keepOrDiscard(tools.platform, rendered, async (tx) => {
      const content = await lockContentWithoutPoster(tx, contentId);
      if ((await newestPlayableVideo(tx, contentId))?.id !== videoAssetId) return null;
      return content && { channelId: content.channelId, contentId, playlistId: null, videoAssetId, alt: content.title };
    });
  });
}

/** From the segments around the poster, cut from the file that is played: the whole file is not read. */
async function fromSegments(
  { platform: { db, store }, runner, toneMapping }: EarlyPosterTools,
  videoAssetId: string,
  { contentId, durationMs }: PosterlessVideo,
  indexPrefix: string,
  folder: string,
  signal: AbortSignal,
): Promise<string | null> {
  const renditions = await renditionsOfVideo(db, videoAssetId, contentId);
  const copy = renditions.filter(isVideo).find(({ origin }) => origin === 'COPY');
  const { value: index } = await readIndex(store, indexPrefix + INDEX_PATH);
  const init = await store.read(`${indexPrefix}video/${INIT_NAME}`);
  if (!copy || !index || !init) return null;
  const { first, count, fileStartMs } = segmentsAround(copy, posterWindowStartMs(durationMs));
  const parts: Buffer[] = [];
  for await (const bytes of init.stream) parts.push(bytes as Buffer); // streams of a store carry bytes
  for (let number = first; number < first + count; number += 1) {
    const segment = await cutIndexed(store, index, 'video', number);
    if (segment) parts.push(segment);
  }
  const inputPath = join(folder, 'around-poster.mp4');
  await writeFile(inputPath, Buffer.concat(parts), { mode: 0o600 });
  const inspection = await inspectFile(runner, inputPath, { toneMapping, signal });
  if (!inspection.ok || !inspection.facts.video) return null;
  const facts = { ...inspection.facts, durationMs };
  const options = { inputPath, outDir: join(folder, 'poster'), facts, fileStartMs, signal };
  return takePoster(runner, { ...options, video: inspection.facts.video });
}

/** The segments with the moments among which the poster is chosen; numbers count from 1. */
function segmentsAround(
  { durations, timescale }: { readonly durations: readonly number[]; readonly timescale: number },
  fromMs: number,
): { first: number; count: number; fileStartMs: number } {
  const starts = [0];
  for (const duration of durations) starts.push((starts.at(-1) ?? 0) + (1_000 * duration) / timescale);
  const first = Math.max(1, starts.findLastIndex((startMs) => startMs <= fromMs) + 1);
  const last = starts.findLastIndex((startMs) => startMs < fromMs + POSTER_WINDOW_MS) + 1;
  const [number, end] = [Math.min(first, durations.length), Math.min(last, durations.length)];
  return { first: number, count: 1 + end - number, fileStartMs: starts[number - 1] ?? 0 };
}

/** From the file that is encoded, any moment of which can be decoded by itself. */
async function fromSource(
  { runner, sources }: EarlyPosterTools,
  { facts, sourceKey }: PosterlessVideo,
  folder: string,
  signal: AbortSignal,
): Promise<string | null> {
  const video = facts?.video;
  if (!facts || !video) return null;
  return sources.use(sourceKey, (inputPath) =>
    takePoster(runner, { inputPath, outDir: join(folder, 'poster'), facts, video, signal }),
  );
}
