import { audioNames, finishedPlaylist, type SizedSegment } from '@reelgraph/manifests';
import {
  type AacEntry,
  type ByteSource,
  type Cut,
  cutAudio,
  cutSegment,
  cutVideo,
  directoryBytes,
  type H264Entry,
  HEAD_BYTES,
  initSegment,
  parseMovie,
  planSound,
  readBlock,
  readDirectory,
  readStandardInput,
  replaceSource,
  type SampleIndex,
  type SegmentDirectory,
  SOUND_TRACK,
  type SoundSource,
  type StandardTrack,
  unsteadyTimes,
  writeSegmentIndex,
} from '@reelgraph/mp4';
import { bitRates } from '../encode/describe-encoded.ts';
import { DEFAULT_MEDIA_LIMITS, type MediaLimits } from '../inspect/accept-media.ts';
import { type Fraction, reduced, toNumber } from '../inspect/fraction.ts';
import { rateOf } from '../inspect/picture-times.ts';
import type { AudioRendition, Rendition, VideoRendition } from '../renditions/rendition.ts';

/** A file of a package that repeats the streams of its source; its media segments are cut on request. */
export interface CopyFile {
  readonly path: string;
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

export type CopyPlan =
  | {
      readonly standard: true;
      /** Playlists, initialization segments, and the index that segments are cut with. */
      readonly files: readonly CopyFile[];
      /** The picture, then the audio; folders are relative to the package. */
      readonly renditions: readonly Rendition[];
      readonly durationMs: number;
      /** When segments begin, in seconds from 0: at keyframes. */
      readonly cuts: readonly number[];
      /** Sound that has to be encoded; null where it is copied, or there is none. */
      readonly sound: SoundSource | null;
      /** Whether these are segments that what is encoded can have, too. */
      readonly sharesCuts: boolean;
      /** When all keyframes are shown. */
      readonly keyframes: readonly number[];
    }
  /** Why the file has to be encoded, for the log. */
  | { readonly standard: false; readonly reason: string };
export type StandardPlan = Extract<CopyPlan, { standard: true }>;

export interface CopyOptions {
  readonly limits?: MediaLimits;
  /** Whether times must be steady: those of MP4 are tables of durations, which cannot jump. */
  readonly steady?: boolean;
}

/** Below the package prefix; addresses below it are not served. */
export const INDEX_FOLDER = 'index';
export const INDEX_PATH = `${INDEX_FOLDER}/segments.bin`;
/** How sound is encoded that is not copied. */
export const SOUND_PATH = `${INDEX_FOLDER}/sound.json`;
const PLAYLIST_TYPE = 'application/vnd.apple.mpegurl';
/** A segment is held in memory while it is cut: 12 seconds at 32 Mbit/s, or 4 seconds at 96. */
const MAX_SEGMENT_BYTES = 48_000_000;
/** Of a fragment: its boxes, and its entry for each sample. */
const FRAGMENT_BYTES = 108;
const SAMPLE_BYTES = 16;

/**
 * Plans how a file is played without encoding. `movie` is the content of its movie box. Pure.
 * @throws Mp4Error where the file is malformed.
 */
export function planCopy(
  movie: Buffer,
  source: SegmentDirectory['source'],
  { limits = DEFAULT_MEDIA_LIMITS, steady = false }: CopyOptions = {},
): CopyPlan {
  const input = readStandardInput(parseMovie(movie), source.sizeBytes);
  if (!input.standard) return input;
  const unsteady = steady ? unsteadyTimes(input) : null;
  if (unsteady !== null) return { standard: false, reason: unsteady };
  const { cuts, areShared: sharesCuts, keyframes } = cutVideo(input.video);
  const video = describeTrack('video', input.video, cuts);
  const audio = input.audio && describeTrack('audio', input.audio, cutAudio(input.audio, cuts));
  const tracks = audio ? [video, audio] : [video];
  const problem = limitProblem(input.video, tracks, limits);
  if (problem !== null) return { standard: false, reason: problem };
  const copied = audio && input.audio && describeAudio(audio, input.audio);
  const sound = input.sound && planSound(input.sound, cuts);
  if (typeof sound === 'string') return { standard: false, reason: sound };
  const indexed: Parameters<typeof writeSegmentIndex>[1] =
    input.sound && sound ? [video, { name: SOUND_TRACK, samples: input.sound.samples, cuts: sound.blocks }] : tracks;
  return {
    standard: true,
    files: [
      ...tracks.flatMap(({ files }) => files),
      { path: INDEX_PATH, contentType: 'application/octet-stream', bytes: writeSegmentIndex(source, indexed) },
    ],
    renditions: [describeVideo(video, input.video), ...(copied ? [copied] : [])],
    durationMs: Math.round(1000 * (cuts.at(-1)?.endSeconds ?? 0)),
    cuts: cuts.map(({ startSeconds }) => startSeconds),
    sound: sound?.source ?? null,
    sharesCuts,
    keyframes,
  };
}

function describeTrack<Entry extends H264Entry | AacEntry>(
  name: 'video' | 'audio',
  input: StandardTrack<Entry>,
  cuts: readonly Cut[],
) {
  const { samples } = input;
  const segments = cuts.map(({ first, end, startSeconds, endSeconds }) => {
    let sizeBytes = FRAGMENT_BYTES + SAMPLE_BYTES * (end - first);
    for (let sample = first; sample < end; sample += 1) sizeBytes += samples.sizes[sample] ?? 0;
    return { durationSeconds: endSeconds - startSeconds, sizeBytes };
  });
  const playlist = finishedPlaylist(
    6,
    'init.mp4',
    segments.map(({ durationSeconds }, index) => ({ uri: `${index + 1}.m4s`, durationSeconds })),
  );
  const files: CopyFile[] = [
    { path: `${name}/index.m3u8`, contentType: PLAYLIST_TYPE, bytes: Buffer.from(playlist) },
    { path: `${name}/init.mp4`, contentType: `${name}/mp4`, bytes: initSegment(input) },
  ];
  return { name, samples, cuts, segments, files };
}

function limitProblem(
  video: StandardTrack<H264Entry>,
  tracks: readonly { readonly segments: readonly SizedSegment[]; readonly cuts: readonly Cut[] }[],
  limits: MediaLimits,
): string | null {
  const { entry, track } = video;
  const seconds = tracks[0]?.cuts.at(-1)?.endSeconds ?? 0;
  if (seconds <= 0 || seconds * 1000 > limits.maxDurationMs) return `the video lasts ${seconds} s`;
  if (toNumber(frameRateOf(video)) > limits.maxFrameRate) return 'there are too many pictures per second';
  if (Math.max(entry.width, entry.height) > limits.maxSidePixels || Math.min(entry.width, entry.height) < 2)
    return `the picture is ${entry.width} x ${entry.height} pixels`;
  if (tracks.some(({ segments }) => segments.some(({ sizeBytes }) => sizeBytes > MAX_SEGMENT_BYTES)))
    return `a segment has more than ${MAX_SEGMENT_BYTES} bytes`;
  if (tracks[0]?.cuts.some(({ startSeconds, endSeconds }) => endSeconds <= startSeconds))
    return `a segment of track ${track.id} has no duration`;
  return null;
}

type Described = ReturnType<typeof describeTrack>;

function describeVideo(described: Described, input: StandardTrack<H264Entry>): VideoRendition {
  const { entry } = input;
  const { width, height } = entry;
  const picture = { label: `${Math.min(width, height)}p`, width, height, frameRate: frameRateOf(input), iframes: null };
  return { kind: 'VIDEO', ...streamOf(described, input), ...picture };
}

function describeAudio(described: Described, input: StandardTrack<AacEntry>): AudioRendition {
  const { entry, track } = input;
  const [named] = audioNames([{ title: null, language: track.language }]);
  const { name, language } = named ?? { name: 'Main', language: null };
  const sound = { track: 0, name, language, channels: entry.channels, sampleRate: entry.sampleRate, isDefault: true };
  return { kind: 'AUDIO', ...streamOf(described, input), ...sound };
}

function streamOf({ name, cuts, segments }: Described, { entry, track }: StandardTrack<H264Entry | AacEntry>) {
  const { timescale } = track;
  const ticks = (seconds: number) => Math.round(seconds * timescale);
  // The times of neighbours, so that roundings do not add up.
  const durations = cuts.map(({ startSeconds, endSeconds }) => ticks(endSeconds) - ticks(startSeconds));
  return { folder: name, origin: 'COPY' as const, codecs: entry.codecs, timescale, durations, ...bitRates(segments) };
}

/** The most pictures per second. */
function frameRateOf({ samples, track }: StandardTrack<H264Entry>): Fraction {
  const { count, decodeTimes, shifts } = samples;
  const ticks = (decodeTimes[count] ?? 0) - (decodeTimes[0] ?? 0);
  const average = reduced(count * track.timescale, Math.max(1, ticks));
  const shown = (sample: number) => (decodeTimes[sample] ?? 0) + (shifts?.[sample] ?? 0);
  const seconds = Float64Array.from({ length: count }, (_, sample) => shown(sample) / track.timescale).sort();
  const rate = rateOf({ seconds, tick: 1 / track.timescale, endSeconds: null, nominal: null });
  return rate === null ? average : rate.frameRate;
}

/** The first media segment of the video. @throws Mp4Error where the source ends before it. */
export async function firstSegmentOf(plan: StandardPlan, source: Pick<ByteSource, 'read'>): Promise<Buffer> {
  return cutSegment(source, firstSamplesOf(plan, 'video'), 'video', 1);
}

/** The samples of the first segment of a track of the index. @throws Mp4Error where there is none. */
export function firstSamplesOf({ files }: StandardPlan, track: 'video' | typeof SOUND_TRACK): SampleIndex {
  const index = Buffer.from(files.find(({ path }) => path === INDEX_PATH)?.bytes ?? []);
  const start = HEAD_BYTES + directoryBytes(index);
  const [position, length] = readDirectory(index.subarray(HEAD_BYTES, start)).tracks[track]?.[0] ?? [0, 0];
  return readBlock(index.subarray(start + position, start + position + length));
}

/** The same plan with the segments cut from `source`, a file with the same bytes. Pure. */
export function withSource(plan: StandardPlan, source: SegmentDirectory['source']): StandardPlan {
  const files = plan.files.map((file) =>
    file.path === INDEX_PATH ? { ...file, bytes: replaceSource(Buffer.from(file.bytes), source) } : file,
  );
  return { ...plan, files };
}
