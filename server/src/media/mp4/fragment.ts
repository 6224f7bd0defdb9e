import { box, fullBox, long, text, word } from './box-writer.ts';
import type { KnownEntry } from './sample-entry.ts';
import { firstFrom, type SampleIndex } from './sample-index.ts';
import type { StandardTrack } from './standard-input.ts';

const IDENTITY = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000];
const TRACK_ID = 1;
const UNDETERMINED = 0x55c4;

/**
 * The initialisation segment of a track (section 8.16.4, and ISO/IEC 23000-19 for the brands): its sample description
 * as it was, without metadata, names or dates. One plain edit puts the start of playback at 0.
 */
export function initSegment({ track, entry, startTime }: StandardTrack<KnownEntry>): Buffer {
  const video = entry.kind === 'h264';
  const [width, height] = video ? [entry.width * 0x10000, entry.height * 0x10000] : [0, 0];
  const header = fullBox(
    'tkhd',
    0,
    3, // enabled, in the movie
    ...[0, 0, TRACK_ID, 0, 0],
    ...[0, 0, 0, video ? 0 : 0x01000000],
    ...IDENTITY,
    ...[width, height],
  );
  const handler = fullBox('hdlr', 0, 0, 0, text(video ? 'vide' : 'soun'), 0, 0, 0, Buffer.alloc(1));
  const media = box(
    'mdia',
    fullBox('mdhd', 0, 0, 0, 0, track.timescale, 0, UNDETERMINED * 0x10000),
    handler,
    box(
      'minf',
      video ? fullBox('vmhd', 0, 1, 0, 0) : fullBox('smhd', 0, 0, 0),
      box('dinf', fullBox('dref', 0, 0, 1, fullBox('url ', 0, 1))),
      box(
        'stbl',
        fullBox('stsd', 0, 0, 1, entry.bytes),
        fullBox('stts', 0, 0, 0),
        fullBox('stsc', 0, 0, 0),
        fullBox('stsz', 0, 0, 0, 0),
        fullBox('stco', 0, 0, 0),
      ),
    ),
  );
  const edit = startTime === 0 ? [] : [box('edts', fullBox('elst', 0, 0, 1, 0, startTime, 0x10000))];
  return Buffer.concat([
    box('ftyp', text('iso6'), 0, text('iso6cmfcmp41')),
    box(
      'moov',
      fullBox('mvhd', 0, 0, 0, 0, 1000, 0, 0x10000, 0x01000000, 0, 0, ...IDENTITY, 0, 0, 0, 0, 0, 0, TRACK_ID + 1),
      box('trak', header, ...edit, media),
      box('mvex', fullBox('trex', 0, 0, TRACK_ID, 1, 0, 0, 0)),
    ),
  ]);
}

/** Sample flags (section 8.8.3.1): depends on no other sample; depends on others and is no sync sample. */
const SYNC = 0x02000000;
const NOT_SYNC = 0x01010000;
/** Of a run of samples (section 8.8.8): offset of the data; duration, size, flags and composition offset of each. */
const RUN_FLAGS = 0x1 | 0x100 | 0x200 | 0x400 | 0x800;
/** Of a fragment of a track (section 8.8.7): positions count from the fragment. */
const BASE_IS_MOOF = 0x20000;

/**
 * A media segment of the samples from `first` on, whose bytes are `data`, in their order. `sequence` counts from 1.
 */
export function mediaSegment(samples: SampleIndex, first: number, data: readonly Buffer[], sequence: number): Buffer {
  const entries = data.flatMap((bytes, index) => {
    const sample = first + index;
    const duration = (samples.decodeTimes[sample + 1] ?? 0) - (samples.decodeTimes[sample] ?? 0);
    return [duration, bytes.length, isSync(samples, sample) ? SYNC : NOT_SYNC, samples.shifts?.[sample] ?? 0];
  });
  const movieFragment = (dataOffset: number): Buffer =>
    box(
      'moof',
      fullBox('mfhd', 0, 0, sequence),
      box(
        'traf',
        fullBox('tfhd', 0, BASE_IS_MOOF, TRACK_ID),
        fullBox('tfdt', 1, 0, long(samples.decodeTimes[first] ?? 0)),
        // Version 1: composition offsets are signed.
        fullBox('trun', 1, RUN_FLAGS, data.length, dataOffset, Buffer.concat(entries.map(word))),
      ),
    );
  const headBytes = movieFragment(0).length + 8;
  return Buffer.concat([movieFragment(headBytes), box('mdat', ...data)]);
}

/** Where `mediaSegment` writes the size of its first sample. */
const FIRST_SIZE_AT = 92;

/** Bytes of a segment of `mediaSegment` from its start to the end of its first sample. Pure. */
export function firstSampleEnd(segment: Buffer): number {
  return segment.readUInt32BE(0) + 8 + segment.readUInt32BE(FIRST_SIZE_AT);
}

function isSync({ sync }: SampleIndex, sample: number): boolean {
  return sync === null || sync[firstFrom(sync, sample)] === sample;
}
