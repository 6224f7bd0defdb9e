import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { INDEX_FOLDER } from '../copy/copy-package.ts';
import { ANONYMOUS } from '../encode/encoder-args.ts';
import { isAnimation } from '../inspect/animation-times.ts';
import { isFileError } from '../inspect/inspect-file.ts';
import type { MediaFacts } from '../inspect/media-facts.ts';
import { PacketTimeline, packetScanArgs } from '../inspect/packet-times.ts';
import { rateOf } from '../inspect/picture-times.ts';
import { pinnedInput } from '../inspect/probe.ts';
import { readShownPictures } from '../inspect/with-picture-times.ts';
import type { Runner } from '../runner.ts';
import { textSubtitles } from '../subtitles/subtitles.ts';
import { type RemuxOptions, remuxLimits } from './remux-file.ts';

/** The copy in its folder; addresses below it are not served. */
export const INDEXED_PATH = `${INDEX_FOLDER}/source`;
/** Raised with every change of what is copied, or how. */
export const INDEXED_VERSION = 1;
const NAME = 'source';

/** A copy of a file in which every moment is found by an index. */
export interface IndexedCopy {
  readonly path: string;
  readonly sizeBytes: number;
  /** Those of the file, with the container and the tracks of the copy. */
  readonly facts: MediaFacts;
}

/** Whether a file with such facts is worth copying: it has pictures that cannot be decoded from any moment on. Pure. */
export function lacksIndex({ video, durationMs, randomAccess, demuxer }: MediaFacts): boolean {
  return video !== null && durationMs !== null && !randomAccess && !isAnimation(demuxer);
}

/**
 * Copies the tracks of a file that viewers receive to a container with an index, without encoding, in the sandbox. The
 * same version of ffmpeg makes the same bytes. Null where the copy would not be the same video: it cannot store a
 * track, or it ends at another time.
 * @throws RunError for failures that are not the file's: aborted, disk full, tool missing.
 */
export async function copyWithIndex(
  runner: Runner,
  path: string,
  facts: MediaFacts,
  { workDir, signal }: RemuxOptions,
): Promise<IndexedCopy | null> {
  const copied = inCopy(facts);
  if (copied === null) return null;
  await runner.prepareWorkDir(workDir);
  try {
    const limits = remuxLimits((await stat(path)).size);
    await runner.run('ffmpeg', copyArgs(facts, copied.demuxer), { cwd: workDir, inputs: [path], limits, signal });
    const copy = join(workDir, NAME);
    if (!(await isSameLength(runner, copy, copied, signal))) return null;
    return { path: copy, sizeBytes: (await stat(copy)).size, facts: await withTimesOf(runner, copy, copied, signal) };
  } catch (error) {
    if (isFileError(error)) return null;
    throw error;
  }
}

/**
 * Times of transport and program streams are kept exactly by QuickTime (ticks of 90 kHz), which stores what these
 * carry; Matroska stores everything else, in milliseconds.
 */
const CONTAINERS: Readonly<Record<string, 'mov'>> = { mov: 'mov', mpegts: 'mov', mpeg: 'mov' };

/** The facts of a copy; null where it does not take the subtitles. Pure. */
function inCopy(facts: MediaFacts): MediaFacts | null {
  const { video, audio, otherAudio } = facts;
  const demuxer = CONTAINERS[facts.demuxer] ?? 'matroska';
  const subtitles = textSubtitles(facts);
  if (video === null || (subtitles.length > 0 && facts.demuxer !== demuxer)) return null;
  let index = 0;
  const placed = <T extends object>(track: T) => ({ ...track, index: index++ });
  return {
    ...facts,
    ...{ demuxer, randomAccess: true, startMs: 0, cover: null },
    video: placed(video),
    audio: audio && placed(audio),
    otherAudio: otherAudio.map(placed),
    subtitles: subtitles.map(placed),
  };
}

/** Tracks in the order of `inCopy`. Program streams and AVI do not give each frame a time of its own. */
function copyArgs(facts: MediaFacts, muxer: string): string[] {
  const tracks = [facts.video, facts.audio, ...facts.otherAudio, ...textSubtitles(facts)];
  return [
    ...['-fflags', '+genpts', ...pinnedInput(facts.demuxer)],
    ...tracks.flatMap((track) => (track === null ? [] : ['-map', `0:${track.index}`])),
    ...['-c', 'copy', ...ANONYMOUS, '-fflags', '+bitexact', '-f', muxer, NAME],
  ];
}

/** The times of pictures in the copy: its container has another clock, and a time for each of them. */
async function withTimesOf(runner: Runner, path: string, facts: MediaFacts, signal: AbortSignal): Promise<MediaFacts> {
  const { video } = facts;
  if (video === null) return facts;
  const { pictures: _, ...untimed } = video;
  const shown = video.interlaced === null ? await readShownPictures(runner, path, facts, { signal }) : null;
  return { ...facts, video: { ...untimed, exactRate: false, ...(shown && rateOf(shown)) } };
}

/** Durations in headers are not more exact. */
const TOLERANCE_MS = 100;

async function isSameLength(runner: Runner, path: string, facts: MediaFacts, signal: AbortSignal): Promise<boolean> {
  const { video, audio, demuxer, durationMs } = facts;
  const tracks = [video, audio].flatMap((track) => (track === null ? [] : [track.index]));
  const timeline = new PacketTimeline(null, tracks);
  await runner.run('ffprobe', packetScanArgs(demuxer), {
    ...{ inputs: [path], limits: remuxLimits((await stat(path)).size), signal, maxStdoutBytes: 0 },
    onStdoutLine: (line) => timeline.add(line),
  });
  const copiedMs = timeline.durationMs(null);
  return copiedMs !== null && durationMs !== null && Math.abs(copiedMs - durationMs) <= TOLERANCE_MS;
}
