import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import {
  BoxBudget,
  type ByteSource,
  boxesIn,
  type Cut,
  clearBitRates,
  cutAudio,
  cutSegment,
  firstSampleEnd,
  initSegment,
  type KnownEntry,
  Mp4Error,
  readMovie,
  readSampleEntries,
  readSampleIndex,
  type SampleIndex,
  type StandardTrack,
} from '@reelgraph/mp4';
import type { AudioRung } from '../ladder/audio-rungs.ts';
import type { VideoCodec } from '../ladder/video-codecs.ts';
import { withoutGaps } from './copied-audio.ts';
import { type EncodedPart, type EncodedSegment, MissingPicturesError, PackageError } from './encoded.ts';
import { AAC_PACKET, type PacketRange } from './on-demand.ts';
import { TOLERANCE_TICKS } from './times/timed-pictures.ts';
import { decodeTimesOf, shownTimes, startsAt } from './times/timed-samples.ts';

/** Takes the initialization segment, then the segments; `index` counts from 0 within the file. */
export interface SegmentSink {
  init(bytes: Buffer): Promise<void>;
  segment(index: number, bytes: Buffer): Promise<void>;
  /** Takes the times of pictures that keep those of the source, in ticks from the start of the file. */
  pictures?(times: readonly number[]): void;
}

/** How the frames of a file are placed in the rendition. */
export interface VideoPlacement {
  readonly folder: string;
  readonly codec: VideoCodec;
  /** Units per second, and of a frame. */
  readonly ticks: { readonly timescale: number; readonly frame: number };
  /** Of the first frame in the rendition. */
  readonly startFrame: number;
  /** How many frames there are; null where that is not known. */
  readonly frames: number | null;
  /** Frames at which segments begin, from 0; or the length of all segments in frames. */
  readonly keyframes: readonly number[] | number;
  /** Whether there are keyframes within segments, too. */
  readonly hasMoreKeyframes?: boolean;
  /** Where pictures keep the times of the source: `frame`s are ticks, as is the end of the last one. */
  readonly timed?: { readonly end: number };
  /** When the segments of other renditions begin, and the last one ends, where these keep the times of the source. */
  readonly borders?: readonly number[];
}

/**
 * Frames by which pictures are delayed for reordering, of x264 and x265 with B-frames as references. AV1 has no such
 * delay, and no composition offsets (AV1 in ISO Base Media File Format, section 2.4).
 */
const DELAY_FRAMES: Readonly<Record<VideoCodec, number>> = { H264: 2, HEVC: 2, AV1: 0 };
const KINDS: Readonly<Record<VideoCodec, KnownEntry['kind']>> = { H264: 'h264', HEVC: 'hevc', AV1: 'av1' };

/**
 * Cuts the MP4 file of an encoded chunk into media segments at its keyframes. A file without pictures has none.
 * @throws PackageError where it is not what was to be encoded.
 */
export async function cutEncodedVideo(
  path: string,
  place: VideoPlacement,
  sink: SegmentSink,
): Promise<EncodedPart | null> {
  return withTrack(path, place.folder, async (source, found) => {
    if (found === null) return null;
    const { track, entry } = found;
    if (entry.kind !== KINDS[place.codec]) throw new PackageError(`${place.folder} is not ${place.codec}.`);
    const { timescale, frame } = place.ticks;
    if (track.timescale !== timescale)
      throw new PackageError(`${place.folder} has a time scale of ${track.timescale}.`);
    const startTime = Math.round(DELAY_FRAMES[place.codec] * frame);
    const placed = place.timed
      ? placeTimed(place, place.timed, found.samples, startTime, sink)
      : placeFrames(place, found, startTime);
    const { samples, starts, durations, moved, delay } = placed;
    const init = initSegment({ track, entry: withoutBitRate(entry), startTime });
    await sink.init(init);
    const segments: EncodedSegment[] = [];
    for (const [index, first] of starts.entries()) {
      const end = starts[index + 1] ?? samples.count;
      const bytes = await cutSegment(source, part(samples, first, end, moved, delay), 'video', index + 1);
      await sink.segment(index, bytes);
      segments.push([durations[index] ?? 0, bytes.length, firstSampleEnd(bytes)]);
    }
    return { folder: place.folder, codecs: entry.codecs, timescale, init: init.toString('base64'), segments };
  });
}

/** The samples of a file, and those with which its segments begin. */
interface PlacedSamples {
  readonly samples: SampleIndex;
  readonly starts: readonly number[];
  /** Of the segments. */
  readonly durations: readonly number[];
  /** Added to the times of decoding, and to when each sample is shown after it is decoded. */
  readonly moved: number;
  readonly delay: number;
}

/** Frames at a constant rate. */
function placeFrames(
  place: VideoPlacement,
  { samples, startTime: own }: EncodedTrack,
  startTime: number,
): PlacedSamples {
  checkFrames(place, samples);
  const starts = startsOf(place, samples.count);
  const found = samples.sync ?? allOf(samples.count);
  const begins = new Set(starts);
  if (!isSame(place.hasMoreKeyframes ? found.filter((sample) => begins.has(sample)) : found, starts))
    throw new PackageError(`${place.folder} has keyframes at ${samples.sync?.join(' ')}, not ${starts.join(' ')}.`);
  const { frame } = place.ticks;
  const { borders } = place;
  if (borders) {
    const decodeTimes = samples.decodeTimes.slice();
    for (const [segment, first] of starts.entries()) {
      const [begin = 0, end = 0] = [borders[segment], borders[segment + 1]];
      const after = starts[segment + 1] ?? samples.count;
      for (let sample = first; sample < after; sample += 1) decodeTimes[sample] = begin + (sample - first) * frame;
      decodeTimes[after] = end;
    }
    const lengths = starts.map((_, segment) => (borders[segment + 1] ?? 0) - (borders[segment] ?? 0));
    return { samples: { ...samples, decodeTimes }, starts, durations: lengths, moved: 0, delay: startTime - own };
  }
  const durations = starts.map((first, index) => ((starts[index + 1] ?? samples.count) - first) * frame);
  return { samples, starts, durations, moved: place.startFrame * frame, delay: startTime - own };
}

/** Pictures that keep the times of the source. */
function placeTimed(
  { folder, keyframes, startFrame }: VideoPlacement,
  { end }: NonNullable<VideoPlacement['timed']>,
  samples: SampleIndex,
  startTime: number,
  sink: SegmentSink,
): PlacedSamples {
  const times = shownTimes(samples);
  const pictures = [...times].sort((a, b) => a - b);
  sink.pictures?.(pictures);
  // What is cut off is no segment.
  const last = (pictures.at(-1) ?? 0) + TOLERANCE_TICKS;
  const cuts = typeof keyframes === 'number' ? [0] : keyframes.filter((cut) => cut <= last);
  const starts = startsAt(cuts, times, samples);
  if (starts.includes(-1))
    throw new MissingPicturesError(
      `${folder} has no keyframe at ${cuts[starts.indexOf(-1)]} of ${samples.sync?.join(' ')}.`,
    );
  const ends = [...cuts.slice(1), Math.max(end, (pictures.at(-1) ?? 0) + 1)];
  const decodeTimes = decodeTimesOf({ times, starts, cuts, ends, delay: startTime });
  const shifts = Int32Array.from(times, (time, sample) => time + startTime - (decodeTimes[sample] ?? 0));
  const durations = cuts.map((cut, index) => (ends[index] ?? 0) - cut);
  return { samples: { ...samples, decodeTimes, shifts }, starts, durations, moved: startFrame, delay: 0 };
}

/** Where a track of sound is cut. */
export interface AudioPlacement {
  readonly folder: string;
  /** The times in seconds at which segments of the picture begin; or so many seconds for all segments. */
  readonly starts: readonly number[] | number;
}

/** Cuts the MP4 file of an encoded track of sound. @throws PackageError where it is not what was to be encoded. */
export async function cutEncodedAudio(
  path: string,
  { codec, ...place }: AudioPlacement & { readonly codec: AudioRung['codec'] },
  sink: SegmentSink,
): Promise<EncodedPart> {
  return withTrack(path, place.folder, async (source, found) => {
    if (found === null) throw new PackageError(`${place.folder} has no sound.`);
    if (found.entry.kind !== codec) throw new PackageError(`${place.folder} is not ${codec}.`);
    return cutSound(source, found, place, sink);
  });
}

/**
 * Takes the packets of a segment from the MP4 file of its sound, which begins with the packet `lead`.
 */
export async function cutEncodedPackets(
  path: string,
  { folder, packets }: { readonly folder: string; readonly packets: PacketRange },
  write: (bytes: Buffer) => Promise<void>,
): Promise<EncodedPart> {
  return withTrack(path, folder, async (source, found) => {
    if (found?.entry.kind !== 'aac') throw new PackageError(`${folder} is not AAC.`);
    const { entry, samples, track, startTime } = found;
    const [first, end] = [packets.first - packets.lead, packets.end - packets.lead];
    if (end > samples.count) throw new PackageError(`${folder} has ${samples.count} packets, not ${end}.`);
    const moved = packets.lead * AAC_PACKET;
    const bytes = await cutSegment(source, part(samples, first, end, moved, 0), 'audio', 1);
    await write(bytes);
    const ticks = (end - first) * AAC_PACKET - (packets.first === 0 ? startTime : 0);
    const init = initSegment({ ...found, entry: withoutBitRate(entry) }).toString('base64');
    return { folder, codecs: entry.codecs, timescale: track.timescale, init, segments: [[ticks, bytes.length]] };
  });
}

/** Cuts the MP4 file of a copied track of Dolby sound; null where it has gaps or another length than the video. */
export async function cutCopiedAudio(
  path: string,
  { videoSeconds, ...place }: AudioPlacement & { readonly videoSeconds: number },
  sink: SegmentSink,
): Promise<EncodedPart | null> {
  return withTrack(path, place.folder, async (source, found) => {
    const whole = found?.entry.kind === 'dolby' ? withoutGaps(found, videoSeconds) : null;
    return whole && cutSound(source, whole, place, sink);
  });
}

async function cutSound(
  source: ByteSource,
  found: EncodedTrack,
  { folder, starts }: AudioPlacement,
  sink: SegmentSink,
): Promise<EncodedPart> {
  const { entry, samples, track, startTime } = found;
  const cuts = cutAudio(found, endsOf(starts, secondsOf(found)));
  const init = initSegment({ ...found, entry: withoutBitRate(entry) });
  await sink.init(init);
  const segments: EncodedSegment[] = [];
  for (const [index, { first, end }] of cuts.entries()) {
    const bytes = await cutSegment(source, part(samples, first, end, 0, 0), 'audio', index + 1);
    await sink.segment(index, bytes);
    const ticks = (samples.decodeTimes[end] ?? 0) - (samples.decodeTimes[first] ?? 0) - (first === 0 ? startTime : 0);
    segments.push([ticks, bytes.length]);
  }
  return { folder, codecs: entry.codecs, timescale: track.timescale, init: init.toString('base64'), segments };
}

function secondsOf({ samples, startTime, track }: StandardTrack<unknown>): number {
  return ((samples.decodeTimes[samples.count] ?? 0) - startTime) / track.timescale;
}

/** A last segment of sound shorter than this is part of the one before: encoders pad the end. */
const SHORTEST_SECONDS = 1;

/** When the segments end that sound is cut like. */
function endsOf(starts: readonly number[] | number, endSeconds: number): Pick<Cut, 'endSeconds'>[] {
  const begins =
    typeof starts === 'number'
      ? Array.from(
          { length: Math.max(1, Math.ceil((endSeconds - SHORTEST_SECONDS) / starts)) },
          (_, index) => index * starts,
        )
      : starts;
  return begins.map((_, index) => ({ endSeconds: begins[index + 1] ?? endSeconds }));
}

type EncodedTrack = StandardTrack<KnownEntry> & {
  /** By which it begins after the start of the file. */
  readonly delaySeconds: number;
};

/** Reads the only track of a file that the sandbox wrote, without following links; null where it has no samples. */
async function withTrack<T>(
  path: string,
  folder: string,
  use: (source: ByteSource, track: EncodedTrack | null) => Promise<T>,
): Promise<T> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const source = fileSource(file, (await file.stat()).size);
    return await use(source, await readTrack(source));
  } catch (error) {
    if (error instanceof Mp4Error) throw new PackageError(`${folder}: ${error.message}`);
    throw error;
  } finally {
    await file.close();
  }
}

function fileSource(file: FileHandle, sizeBytes: number): ByteSource {
  return {
    sizeBytes,
    async read(position, length) {
      const buffer = Buffer.alloc(Math.max(0, Math.min(length, sizeBytes - position)));
      const { bytesRead } = await file.read(buffer, 0, buffer.length, position);
      return buffer.subarray(0, bytesRead);
    },
  };
}

/** Time of an edit that shows nothing. */
const EMPTY_EDIT = -1;

async function readTrack(source: ByteSource): Promise<EncodedTrack | null> {
  const movie = await readMovie(source);
  const [track] = movie?.tracks ?? [];
  if (!movie || !track) return null;
  const [entry] = readSampleEntries(movie, track);
  if (movie.tracks.length > 1 || entry === undefined || entry.kind === 'other') throw new Mp4Error('Unknown tracks.');
  const samples = readSampleIndex(movie, track, source.sizeBytes);
  const startTime = Math.max(0, track.edits.at(-1)?.mediaTime ?? 0);
  const delay = track.edits.find(({ mediaTime }) => mediaTime === EMPTY_EDIT)?.duration ?? 0;
  return samples.count === 0 ? null : { track, entry, samples, startTime, delaySeconds: delay / movie.timescale };
}

function checkFrames({ folder, frames, ticks }: VideoPlacement, { count, decodeTimes }: SampleIndex): void {
  if (frames !== null && count > frames) throw new PackageError(`${folder} has ${count} frames, not ${frames}.`);
  const wrong = decodeTimes.findIndex((time, sample) => sample < count && time !== sample * ticks.frame);
  if (wrong >= 0) throw new PackageError(`Frame ${wrong} of ${folder} is not at its time.`);
}

function startsOf({ keyframes }: VideoPlacement, count: number): number[] {
  if (typeof keyframes !== 'number') return keyframes.filter((frame) => frame < count);
  return Array.from({ length: Math.ceil(count / keyframes) }, (_, index) => index * keyframes);
}

function allOf(count: number): Uint32Array {
  return Uint32Array.from({ length: count }, (_, sample) => sample);
}

function isSame(found: Uint32Array, expected: readonly number[]): boolean {
  return found.length === expected.length && expected.every((value, index) => value === found[index]);
}

/** The samples of a segment, moved in time; `delay` is added to when each is shown after it is decoded. */
function part(samples: SampleIndex, first: number, end: number, moved: number, delay: number): SampleIndex {
  const sync =
    samples.sync?.filter((sample) => sample >= first && sample < end).map((sample) => sample - first) ?? null;
  const shifts =
    samples.shifts === null && delay === 0
      ? null
      : Int32Array.from({ length: end - first }, (_, index) => (samples.shifts?.[first + index] ?? 0) + delay);
  return {
    count: end - first,
    offsets: samples.offsets.subarray(first, end),
    sizes: samples.sizes.subarray(first, end),
    decodeTimes: samples.decodeTimes.subarray(first, end + 1).map((time) => time + moved),
    shifts,
    sync,
    description: 1,
  };
}

/** Bytes of a sample entry before its boxes, with its own head. */
const HEAD_BYTES = { h264: 86, hevc: 86, av1: 86, aac: 36, dolby: 36 } as const;

/** Without bit rates (ISO/IEC 14496-12 section 8.5.2), which differ from chunk to chunk. */
function withoutBitRate<Entry extends KnownEntry>(entry: Entry): Entry {
  const { bytes, kind } = entry;
  const start = HEAD_BYTES[kind];
  const kept = [...boxesIn(bytes, { start, end: bytes.length }, new BoxBudget())].filter(({ type }) => type !== 'btrt');
  const whole = Buffer.concat([bytes.subarray(0, start), ...kept.map((box) => bytes.subarray(box.start - 8, box.end))]);
  whole.writeUInt32BE(whole.length);
  if (kind === 'aac') clearBitRates(whole, start);
  return { ...entry, bytes: whole };
}
