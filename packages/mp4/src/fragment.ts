import { box, fullBox, long, text, word } from './box-writer.ts';
import { Mp4Error } from './boxes.ts';
import { firstFrom } from './first-from.ts';
import { isVideoEntry, type KnownEntry } from './sample-entry.ts';
import type { SampleIndex } from './sample-index.ts';
import type { StandardTrack } from './standard-input.ts';
import { movieHeader, trackBox } from './track-box.ts';

const TRACK_ID = 1;

/**
 * The initialisation segment of a track (section 8.16.4, and ISO/IEC 23000-19 for the brands): its sample description
 * as it was, without metadata, names or dates. One plain edit puts the start of playback at 0.
 */
export function initSegment({
  track,
  entry,
  startTime,
}: Pick<StandardTrack<KnownEntry>, 'entry' | 'startTime'> & {
  readonly track: Pick<StandardTrack<KnownEntry>['track'], 'timescale'>;
}): Buffer {
  const video = isVideoEntry(entry);
  const [width, height] = video ? [entry.width * 0x10000, entry.height * 0x10000] : [0, 0];
  const trak = trackBox({
    ...{ id: TRACK_ID, kind: video ? 'video' : 'audio', width, height, language: null },
    media: { timescale: track.timescale, duration: 0 },
    edit: startTime === 0 ? null : { duration: 0, mediaTime: startTime },
    tables: [
      fullBox('stsd', 0, 0, 1, entry.bytes),
      fullBox('stts', 0, 0, 0),
      fullBox('stsc', 0, 0, 0),
      fullBox('stsz', 0, 0, 0, 0),
      fullBox('stco', 0, 0, 0),
    ],
  });
  return Buffer.concat([
    box('ftyp', text('iso6'), 0, text(`iso6cmfcmp41${entry.kind === 'av1' ? 'av01' : ''}`)),
    box(
      'moov',
      movieHeader({ timescale: 1000, duration: 0 }, TRACK_ID + 1),
      trak,
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
  const run = data.map((bytes, index): StreamSample => {
    const sample = first + index;
    const duration = (samples.decodeTimes[sample + 1] ?? 0) - (samples.decodeTimes[sample] ?? 0);
    return { data: bytes, duration, shift: samples.shifts?.[sample] ?? 0, isSync: isSync(samples, sample) };
  });
  return streamFragment(run, samples.decodeTimes[first] ?? 0, sequence);
}

/** A sample of a stream that has no index. Times are in units of its track. */
export interface StreamSample {
  readonly data: Buffer;
  readonly duration: number;
  /** From its decoding to its presentation. */
  readonly shift: number;
  readonly isSync: boolean;
}

/** A media segment, or a part of one, of samples that follow each other. `sequence` counts from 1. */
export function streamFragment(samples: readonly StreamSample[], decodeTime: number, sequence: number): Buffer {
  const entries = samples.flatMap(({ data, duration, shift, isSync: sync }) => [
    ...[duration, data.length, sync ? SYNC : NOT_SYNC, shift],
  ]);
  const movieFragment = (dataOffset: number): Buffer =>
    box(
      'moof',
      fullBox('mfhd', 0, 0, sequence),
      box(
        'traf',
        fullBox('tfhd', 0, BASE_IS_MOOF, TRACK_ID),
        fullBox('tfdt', 1, 0, long(decodeTime)),
        // Version 1: composition offsets are signed.
        fullBox('trun', 1, RUN_FLAGS, samples.length, dataOffset, Buffer.concat(entries.map(word))),
      ),
    );
  const headBytes = movieFragment(0).length + 8;
  return Buffer.concat([movieFragment(headBytes), box('mdat', ...samples.map(({ data }) => data))]);
}

/** Where `mediaSegment` writes: the decoding time, the run of samples and its entries, the size in an entry. */
const AT = { decodeTime: 60, run: 68, entries: 88, size: 4 } as const;
const ENTRY_BYTES = 16;

/** Bytes of a segment of `mediaSegment` from its start to the end of its first sample. Pure. */
export function firstSampleEnd(segment: Buffer): number {
  return fragmentHeadBytes(segment) + segment.readUInt32BE(AT.entries + AT.size);
}

/** Bytes of a segment of `mediaSegment` before its samples, which end it. Pure. */
export function fragmentHeadBytes(segment: Buffer): number {
  return segment.readUInt32BE(0) + 8;
}

/** The samples of a media segment; their bytes follow each other in the segment. */
export interface Fragment {
  readonly decodeTime: number;
  readonly durations: Uint32Array;
  readonly sizes: Uint32Array;
  readonly shifts: Int32Array;
  /** 1 for each sync sample. */
  readonly sync: Uint8Array;
}

/** Reads the head of a segment of `mediaSegment`. Pure. @throws Mp4Error where it is none. */
export function readFragment(head: Buffer): Fragment {
  const isOwn =
    head.length >= AT.entries &&
    head.toString('latin1', 4, 8) === 'moof' &&
    head.toString('latin1', AT.run + 4, AT.run + 8) === 'trun' &&
    head.readUInt32BE(AT.run + 8) === 0x01000000 + RUN_FLAGS;
  const count = isOwn ? head.readUInt32BE(AT.run + 12) : 0;
  if (!isOwn || head.readUInt32BE(0) !== AT.entries + ENTRY_BYTES * count || head.length < fragmentHeadBytes(head))
    throw new Mp4Error('Not the head of a segment.');
  const words = Array.from({ length: 4 }, () => new Uint32Array(count));
  const [durations, sizes, flags, shifts] = words as [Uint32Array, Uint32Array, Uint32Array, Uint32Array];
  for (let sample = 0; sample < count; sample += 1)
    for (const [index, values] of words.entries())
      values[sample] = head.readUInt32BE(AT.entries + ENTRY_BYTES * sample + 4 * index);
  return {
    decodeTime: Number(head.readBigInt64BE(AT.decodeTime)),
    durations,
    sizes,
    shifts: new Int32Array(shifts.buffer),
    sync: Uint8Array.from(flags, (value) => (value === SYNC ? 1 : 0)),
  };
}

function isSync({ sync }: SampleIndex, sample: number): boolean {
  return sync === null || sync[firstFrom(sync, sample)] === sample;
}
