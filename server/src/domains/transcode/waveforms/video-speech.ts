import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import { type AudioRendition, INIT_NAME, isVideo, segmentName } from '../../../media/index.ts';
import type { Executor } from '../../../platform/db/database.ts';
import type { ObjectStore } from '../../../platform/storage/object-store.ts';
import { newestVideoAsset, renditionsOfVideo, videoPrefix } from '../../assets/index.ts';

/** The sound of a video that recognizers get: the stream of its main track. */
export interface VideoSpeech {
  readonly videoAssetId: string;
  readonly durationMs: number;
  /** Key prefix of its segments. */
  readonly prefix: string;
  readonly segments: number;
}

/**
 * The sound of the newest video of a content.
 * @throws AppError INVALID_INPUT naming `field` where there is none, with the reason.
 */
export async function requireSpeech(db: Executor, contentId: string, field: string): Promise<VideoSpeech> {
  const videoAssetId = await newestVideoAsset(db, contentId);
  const renditions = videoAssetId === null ? [] : await renditionsOfVideo(db, videoAssetId, contentId);
  if (videoAssetId === null || !renditions.some(({ origin }) => origin === 'ENCODE'))
    throw new AppError('INVALID_INPUT', t`This content has no processed video.`, {
      field,
      suggestedFix: t`Wait until waitForProcessing returns COMPLETE, or call submitContentForProcessing with again:
        true.`,
    });
  const tracks = renditions.filter((each): each is AudioRendition => !isVideo(each));
  // Every track is there as AAC in stereo or mono.
  const main = tracks.find(
    ({ origin, isDefault, upmix, codecs, channels }) =>
      origin === 'ENCODE' && isDefault && !upmix && codecs.startsWith('mp4a') && channels <= 2,
  );
  if (!main)
    throw new AppError('INVALID_INPUT', t`This video has no sound.`, {
      field,
      suggestedFix: t`Upload a video with sound, or write captions with createContentCaptions.`,
    });
  const { folder, durations, timescale } = main;
  return {
    videoAssetId,
    durationMs: (1000 * durations.reduce((sum, duration) => sum + duration, 0)) / timescale,
    prefix: `${videoPrefix(contentId, videoAssetId)}${folder}/`,
    segments: durations.length,
  };
}

/** Writes the stream into a folder as one fragmented MP4; returns its path. */
export async function fetchSpeech(
  store: Pick<ObjectStore, 'read'>,
  { prefix, segments }: VideoSpeech,
  folder: string,
  signal: AbortSignal,
): Promise<string> {
  const path = join(folder, 'speech.mp4');
  const names = [INIT_NAME, ...Array.from({ length: segments }, (_, number) => segmentName(number))];
  async function* content(): AsyncGenerator<Buffer> {
    for (const name of names) {
      signal.throwIfAborted();
      const found = await store.read(`${prefix}${name}`);
      if (!found) throw new Error(`the segment ${name} is gone`);
      yield* found.stream as AsyncIterable<Buffer>;
    }
  }
  await pipeline(Readable.from(content()), createWriteStream(path, { mode: 0o600 }));
  return path;
}
