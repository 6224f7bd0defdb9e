import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fragmentHeadBytes, readFragment, streamFragment } from '@reelgraph/mp4';
import { type ImageDecoder, inspectFile, type Runner, segmentName, takeFrame } from '../../../media/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import { type Repeated, repeat } from '../../../platform/repeat.ts';
import { showLivePoster, storedBytes, workFolders } from '../../assets/index.ts';
import { initName } from '../packaging/live-track.ts';
import { livePrefix } from '../recording/live-renditions.ts';
import { claimThumbnail, type DueThumbnail, isLive } from './thumbnails.store.ts';

export interface ThumbnailTools {
  readonly platform: Pick<Platform, 'config' | 'clock' | 'log' | 'db' | 'store'>;
  readonly runner: Runner;
  readonly imageDecoder: ImageDecoder;
  /** From `probeTools`. */
  readonly toneMapping: boolean;
}

/** How often to look for pictures that are due. */
const LOOK_MS = 2_000;
/** One that takes longer is given up. */
const LONGEST_MS = 30_000;

/** Takes the pictures of live broadcasts, one at a time: of the newest keyframe that is stored. */
export function liveThumbnails(tools: ThumbnailTools): Repeated {
  const { db, clock, log } = tools.platform;
  const stopping = new AbortController();
  const repeated = repeat(log, 'a picture of a broadcast could not be taken, will be retried', LOOK_MS, async () => {
    const due = await claimThumbnail(db, new Date(clock.now()).toISOString());
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(LONGEST_MS)]);
    if (due) await takeThumbnail(tools, due, signal);
    return due !== null;
  });
  return {
    start: () => repeated.start(),
    stop() {
      stopping.abort();
      return repeated.stop();
    },
  };
}

/** Shows the first picture of the newest segment of a broadcast in lists, unless it has ended meanwhile. */
async function takeThumbnail(tools: ThumbnailTools, due: DueThumbnail, signal: AbortSignal): Promise<void> {
  const { platform, runner } = tools;
  const { broadcastId, contentId, videoAssetId } = due;
  const keyframe = await newestKeyframe(platform.store, due);
  if (!keyframe) return;
  await workFolders(platform.config.DATA_DIR, platform.log).use(async (folder) => {
    const inputPath = join(folder, 'keyframe.mp4');
    await writeFile(inputPath, keyframe, { mode: 0o600 });
    const inspected = await inspectFile(runner, inputPath, { toneMapping: tools.toneMapping, signal });
    if (!inspected.ok || !inspected.facts.video) return;
    const { facts } = inspected;
    const frame = { inputPath, outDir: join(folder, 'frame'), facts, video: inspected.facts.video, atMs: 0, signal };
    const path = await takeFrame(runner, frame);
    if (path) await showLivePoster(tools, { path, contentId, videoAssetId }, (tx) => isLive(tx, broadcastId));
  });
}

/** A file with the picture with which the newest segment begins; null where that is gone, or is no keyframe. */
async function newestKeyframe(
  store: Platform['store'],
  { contentId, videoAssetId, number, init }: DueThumbnail,
): Promise<Buffer | null> {
  const prefix = `${livePrefix(contentId, videoAssetId)}video/`;
  const [head, source] = [
    await storedBytes(store, prefix + initName(init)),
    await storedBytes(store, prefix + segmentName(number)),
  ];
  if (!head || !source) return null;
  const segment = await source.read(0, source.sizeBytes);
  const { sync, sizes, durations } = readFragment(segment);
  if (sync[0] !== 1) return null;
  const start = fragmentHeadBytes(segment);
  const data = segment.subarray(start, start + (sizes[0] ?? 0));
  const picture = streamFragment([{ data, duration: durations[0] ?? 1, shift: 0, isSync: true }], 0, 1);
  return Buffer.concat([await head.read(0, head.sizeBytes), picture]);
}
