import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, ERROR_CATALOGUE } from '../../../kernel/errors.ts';
import {
  type CopyPlan,
  firstSegmentOf,
  inFolder,
  inputArg,
  isVideo,
  Mp4Error,
  planCopyOf,
  RunError,
  type Runner,
  SNIFF_BYTES,
  sniff,
} from '../../../media/index.ts';
import type { JobRun } from '../../../platform/jobs/job.ts';
import type { Platform } from '../../../platform/platform.ts';
import { COPY_NAME, copyPrefix } from '../delivery/media-address.ts';
import { storedBytes } from '../delivery/stored-bytes.ts';
import { workFolders } from '../processing/work-folders.ts';
import { chargeMinutes } from '../quota/charge-minutes.ts';
import { insertMediaIndex, mediaIndexOf } from '../renditions/media-indexes.store.ts';
import { announcePlayable } from './announce-playable.ts';
import { uploadedVideo } from './playable.store.ts';

export interface MakePlayableTools {
  readonly platform: Pick<Platform, 'config' | 'clock' | 'log' | 'db' | 'store'>;
  readonly runner: Runner;
}

type StandardPlan = Extract<CopyPlan, { standard: true }>;

/**
 * Makes a standard file playable: reads its movie box, stores playlists and an index of its segments, and marks the
 * video playable. Other files, and files that seem damaged, are left to `process-video`, which says what is wrong.
 */
export async function makePlayable(tools: MakePlayableTools, videoAssetId: string, run: JobRun): Promise<void> {
  const { config, db, store, log } = tools.platform;
  if (config.INSTANT_PLAYBACK === 'off') return;
  const video = await uploadedVideo(db, videoAssetId);
  const source = video && (await storedBytes(store, video.sourceKey));
  if (!video || !source) return;
  try {
    const sniffed = sniff(await source.read(0, SNIFF_BYTES));
    if (!sniffed.ok || sniffed.container !== 'mov') return;
    const plan = await planCopyOf(source);
    if (!plan.standard) return log.debug({ videoAssetId, reason: plan.reason }, 'video has to be encoded');
    await requireDecodable(tools, plan, await firstSegmentOf(plan, source), run.signal);
    await chargeMinutes(tools.platform, { ...video, videoAssetId, durationMs: plan.durationMs });
    await publishCopy(tools, { ...video, videoAssetId }, plan, sniffed.mimeType);
  } catch (error) {
    const refused = error instanceof AppError && !ERROR_CATALOGUE[error.code].retryable;
    if (!refused && !(error instanceof Mp4Error) && !isOfFile(error)) throw error;
    log.info({ error, videoAssetId }, 'video cannot be played as it is');
  }
}

/** Whether a decoder ended because of the file. */
function isOfFile(error: unknown): boolean {
  return error instanceof RunError && ['exit', 'memory', 'cpu-limit', 'timeout', 'output-limit'].includes(error.reason);
}

const DECODE_LIMITS = { cpuSeconds: 20, memoryBytes: 1024 ** 3, outputBytes: 1024 ** 2, wallMs: 20_000 };

/** Decodes the first pictures in the sandbox. @throws RunError where there are none. */
async function requireDecodable(
  { platform, runner }: MakePlayableTools,
  plan: StandardPlan,
  segment: Buffer,
  signal: AbortSignal,
): Promise<void> {
  const init = plan.files.find(({ path }) => path === 'video/init.mp4');
  if (!init) throw new Error('The plan has no initialization segment.');
  await workFolders(platform.config.DATA_DIR, platform.log).use(async (folder) => {
    const path = join(folder, 'first.mp4');
    await writeFile(path, Buffer.concat([init.bytes, segment]));
    const args = ['-xerror', '-f', 'mov', '-i', inputArg(0), '-frames:v', '2', '-f', 'null', '-'];
    await runner.run('ffmpeg', args, { inputs: [path], limits: DECODE_LIMITS, signal });
  });
}

/** Stores the files, then makes the video playable. Removes them where that is no longer wanted. */
async function publishCopy(
  { platform: { db, store, clock } }: MakePlayableTools,
  video: { readonly videoAssetId: string; readonly contentId: string },
  { files, renditions, durationMs }: StandardPlan,
  mimeType: string,
): Promise<void> {
  const { videoAssetId, contentId } = video;
  const packagePrefix = copyPrefix(contentId, videoAssetId);
  await Promise.all(
    files.map(({ path, bytes, contentType }) => store.put(packagePrefix + path, Buffer.from(bytes), { contentType })),
  );
  const picture = renditions.find(isVideo);
  if (!picture) throw new Error('The plan has no picture.');
  const { width, height } = picture;
  const facts = {
    ...{ mimeType, width, height, durationMs, packagePrefix },
    derivedBytes: files.reduce((sum, { bytes }) => sum + bytes.length, 0),
    derivedFiles: files.length,
  };
  const index = { keyPrefix: packagePrefix, storedBytes: facts.derivedBytes, storedFiles: facts.derivedFiles };
  const isPlayable = await db.transaction(async (tx) => {
    const streams = inFolder(COPY_NAME, renditions);
    if (!(await announcePlayable(clock, tx, videoAssetId, facts, streams))) return false;
    await insertMediaIndex(tx, videoAssetId, index);
    return true;
  });
  if (!isPlayable && !(await mediaIndexOf(db, videoAssetId))) await store.deletePrefix(packagePrefix);
}
