import { join } from 'node:path';
import { inspectFile, POSTER_WINDOW_MS, posterWindowStartMs, takePoster } from '../../../media/index.ts';
import { keepOrDiscard, lockContentForFrame, renderImage, workFolders } from '../../assets/index.ts';
import { clipPieces } from '../clips/clip-pieces.ts';
import { segmentsToClip } from '../clips/clips.store.ts';
import { copyPiece } from '../clips/copy-piece.ts';
import { livePrefix } from '../recording/live-renditions.ts';
import type { ThumbnailTools } from './live-thumbnails.ts';
import { type Unpictured, unpicturedRecording } from './thumbnails.store.ts';

/**
 * Makes a picture of a recording the poster of its stream, the one that an uploaded video would have, in place of the
 * last one of the broadcast. One that somebody chose stays.
 * @throws AppError as `renderImage`.
 */
export async function takeRecordingPoster(
  tools: ThumbnailTools,
  broadcastId: string,
  signal: AbortSignal,
): Promise<void> {
  const { platform } = tools;
  const recording = await unpicturedRecording(platform.db, broadcastId);
  if (!recording) return;
  const { contentId, videoAssetId } = recording;
  await workFolders(platform.config.DATA_DIR, platform.log).use(async (folder) => {
    const path = await pictureOf(tools, broadcastId, recording, folder, signal);
    if (path === null) return platform.log.info({ broadcastId }, 'a recording has no picture of its own');
    const rendered = await renderImage(tools, { path, purpose: 'POSTER' });
    await keepOrDiscard(platform, rendered, async (tx) => {
      const content = await lockContentForFrame(tx, contentId, videoAssetId);
      return content && { channelId: content.channelId, contentId, playlistId: null, videoAssetId, alt: content.title };
    });
  });
}

async function pictureOf(
  { platform: { db, store }, runner, toneMapping }: ThumbnailTools,
  broadcastId: string,
  { contentId, videoAssetId, durationMs }: Unpictured,
  folder: string,
  signal: AbortSignal,
): Promise<string | null> {
  const startMs = posterWindowStartMs(durationMs);
  const range = { startMs, endMs: startMs + POSTER_WINDOW_MS };
  const [piece] = clipPieces(await segmentsToClip(db, broadcastId, range), range);
  if (!piece) return null;
  const inputPath = join(folder, 'around-poster.mp4');
  const prefix = livePrefix(contentId, videoAssetId);
  const fileStartMs = await copyPiece({ ...piece, hasSound: false }, { store, prefix, path: inputPath, signal });
  const inspected = await inspectFile(runner, inputPath, { toneMapping, signal });
  if (!inspected.ok || !inspected.facts.video) return null;
  const facts = { ...inspected.facts, durationMs };
  const options = { inputPath, outDir: join(folder, 'poster'), facts, fileStartMs, signal };
  return takePoster(runner, { ...options, video: inspected.facts.video });
}
