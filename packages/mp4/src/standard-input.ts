import { Mp4Error } from './boxes.ts';
import type { Movie, Track } from './movie.ts';
import { type AacEntry, type H264Entry, readSampleEntries } from './sample-entry.ts';
import { readSampleIndex, type SampleIndex } from './sample-index.ts';
import { readSoundTrack, type SoundTrack } from './sound-track.ts';

/** A track that can be repackaged without encoding. */
export interface StandardTrack<Entry> {
  readonly track: Track;
  readonly entry: Entry;
  readonly samples: SampleIndex;
  /** Composition time at which playback begins, in the time scale of the track: of the edit, otherwise 0. */
  readonly startTime: number;
}

export type StandardInput =
  | {
      readonly standard: true;
      readonly video: StandardTrack<H264Entry>;
      /** Null where there is none that can be copied. */
      readonly audio: StandardTrack<AacEntry> | null;
      /** Sound that browsers cannot play as it is, or not in all cases; null where there is none. */
      readonly sound: SoundTrack | null;
    }
  /** Why the file has to be encoded, for the log and for tests. */
  | { readonly standard: false; readonly reason: string };

/** A player loads a group of pictures before it shows anything of it. */
export const MAX_GROUP_SECONDS = 12;
const IDENTITY = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000];
const AAC_LC = 2;
const EMPTY_EDIT = -1;
/** Players skip a gap of this length at the start. */
const MAX_DELAY_SECONDS = 0.1;

/**
 * Whether the pictures of a file can be played in every browser as they are: H.264 in 8-bit 4:2:0 with closed groups of
 * pictures of at most 12 seconds, one sample description, at most one plain edit, no rotation, square pixels; beside
 * AAC-LC in mono or stereo, other sound that keeps pace with the picture, or none. Pure.
 * @throws Mp4Error where the file is malformed.
 */
export function readStandardInput(movie: Movie, fileBytes: number): StandardInput {
  try {
    if (movie.fragmented) return notStandard('samples are in fragments');
    const videos = movie.tracks.filter(({ handler }) => handler === 'vide');
    const [audioTrack] = movie.tracks.filter(({ handler }) => handler === 'soun');
    const [videoTrack] = videos;
    if (videoTrack === undefined || videos.length > 1) return notStandard(`there are ${videos.length} video tracks`);
    const video = standardVideo(movie, videoTrack, fileBytes);
    if (audioTrack === undefined) return { standard: true, video, audio: null, sound: null };
    const audio = standardAudio(movie, audioTrack, fileBytes);
    return { standard: true, video, audio, sound: audio ? null : otherSound(movie, audioTrack, fileBytes) };
  } catch (error) {
    if (error instanceof NotStandard) return notStandard(error.message);
    throw error;
  }
}

class NotStandard extends Error {}

function notStandard(reason: string): StandardInput {
  return { standard: false, reason };
}

function require(condition: boolean, reason: string): asserts condition {
  if (!condition) throw new NotStandard(reason);
}

function standardVideo(movie: Movie, track: Track, fileBytes: number): StandardTrack<H264Entry> {
  const [entry] = readSampleEntries(movie, track);
  require(entry?.kind === 'h264', 'the video is not H.264');
  require(entry.bitDepth === 8 && entry.chromaFormat === 1, 'the video is not 8-bit 4:2:0');
  require(!entry.interlaced, 'the video is interlaced');
  require(Math.abs(entry.pixelAspect[0] / entry.pixelAspect[1] - 1) < 0.005, 'pixels are not square');
  require(track.matrix.every((value, index) => value === IDENTITY[index]), 'the video is rotated');
  require(entry.lengthBytes === 4, 'NAL units have short lengths');
  const common = commonOf(movie, track, fileBytes);
  requireClosedGroups(common.samples, track.timescale);
  return { track, entry, ...common };
}

/** Null where the sound is not AAC-LC in mono or stereo, or where it may be HE-AAC. */
function standardAudio(movie: Movie, track: Track, fileBytes: number): StandardTrack<AacEntry> | null {
  const [entry] = readSampleEntries(movie, track);
  const isPlain = entry?.kind === 'aac' && entry.objectType === AAC_LC && entry.sbr === 'none';
  if (!isPlain || entry.channels < 1 || entry.channels > 2) return null;
  return { track, entry, ...commonOf(movie, track, fileBytes) };
}

function otherSound(movie: Movie, track: Track, fileBytes: number): SoundTrack {
  const found = readSoundTrack(movie, track, fileBytes);
  require(typeof found !== 'string', `the sound ${found}`);
  return { ...found, ...placedAt(movie, track, found.samples) };
}

function commonOf(movie: Movie, track: Track, fileBytes: number): { samples: SampleIndex; startTime: number } {
  const samples = readSampleIndex(movie, track, fileBytes);
  require(samples.count > 0, 'a track has no samples');
  require(samples.description === 1, 'a track has several sample descriptions');
  return placedAt(movie, track, samples);
}

function placedAt(movie: Movie, track: Track, samples: SampleIndex): { samples: SampleIndex; startTime: number } {
  if (track.timescale === 0 || movie.timescale === 0) throw new Mp4Error('A time scale is 0.');
  const startTime = startTimeOf(movie, track, samples);
  if (startTime >= 0) return { samples, startTime };
  return { samples: { ...samples, decodeTimes: samples.decodeTimes.map((time) => time - startTime) }, startTime: 0 };
}

/**
 * The start of the only edit, which must last to the end of the track, at ordinary speed. Negative where an empty edit
 * before it delays the track: writers align picture and sound so.
 */
function startTimeOf(movie: Movie, track: Track, samples: SampleIndex): number {
  const delaying = track.edits.length > 1 && track.edits[0]?.mediaTime === EMPTY_EDIT ? track.edits[0] : null;
  const delaySeconds = (delaying?.duration ?? 0) / movie.timescale;
  require(delaySeconds <= MAX_DELAY_SECONDS, `a track begins ${delaySeconds.toFixed(3)} s late`);
  const [edit, ...others] = delaying ? track.edits.slice(1) : track.edits;
  if (edit === undefined) return 0;
  require(others.length === 0 && edit.rate === 1 && edit.mediaTime >= 0, 'the edit list is not plain');
  const end = samples.decodeTimes[samples.count] ?? 0;
  const shown = edit.duration === 0 ? end : (edit.duration / movie.timescale) * track.timescale;
  // Writers round durations, and many count the delay of reordering into them or not.
  const tolerance = track.timescale / 4;
  require(edit.mediaTime <= end &&
    edit.mediaTime + shown >= end - tolerance, 'the edit list shows a part of the track');
  return edit.mediaTime - Math.round(delaySeconds * track.timescale);
}

/** A group is closed if no picture that follows its sync sample is shown before it. */
function requireClosedGroups({ count, decodeTimes, shifts, sync }: SampleIndex, timescale: number): void {
  if (sync === null) return;
  require(sync[0] === 0, 'the first picture is no sync sample');
  for (let group = 0; group < sync.length; group += 1) {
    const first = sync[group] ?? 0;
    const end = sync[group + 1] ?? count;
    const shown = (decodeTimes[first] ?? 0) + (shifts?.[first] ?? 0);
    for (let sample = first + 1; sample < end; sample += 1)
      if ((decodeTimes[sample] ?? 0) + (shifts?.[sample] ?? 0) <= shown)
        throw new NotStandard('groups of pictures are open');
    const seconds = ((decodeTimes[end] ?? 0) - (decodeTimes[first] ?? 0)) / timescale;
    require(seconds <= MAX_GROUP_SECONDS, `a group of pictures lasts ${seconds.toFixed(1)} s`);
  }
}
