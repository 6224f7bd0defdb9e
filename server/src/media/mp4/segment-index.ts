import { Mp4Error } from './boxes.ts';
import type { Cut } from './cut-plan.ts';
import { firstFrom, type SampleIndex } from './sample-index.ts';

/**
 * The samples of all segments of a file, as one object: a head of 8 bytes (`RGSI`, length of the directory), the
 * directory as JSON, then a block for each segment. Cutting a segment takes the directory, read once, and one block.
 */
export interface SegmentDirectory {
  /** The file that the positions refer to. */
  readonly source: { readonly key: string; readonly sizeBytes: number; readonly etag: string };
  /** Position (after the directory) and length of the block of each segment, by track. */
  readonly tracks: Readonly<Record<string, readonly (readonly [position: number, length: number])[]>>;
}

const MAGIC = 'RGSI';
export const HEAD_BYTES = 8;

/** The index of the segments `cuts` of tracks. Pure. */
export function writeSegmentIndex(
  source: SegmentDirectory['source'],
  tracks: readonly { readonly name: string; readonly samples: SampleIndex; readonly cuts: readonly Cut[] }[],
): Buffer {
  const most = tracks.reduce((sum, { samples, cuts }) => sum + mostWords(samples.count, cuts.length), 0);
  const words = new Uint32Array(most);
  let at = 0;
  const places = tracks.map(({ name, samples, cuts }) => {
    const segments = cuts.map((cut) => {
      const start = at;
      at = writeBlock(words, at, samples, cut);
      return [4 * start, 4 * (at - start)] as const;
    });
    return [name, segments] as const;
  });
  return assemble({ source, tracks: Object.fromEntries(places) }, Buffer.from(words.buffer, 0, 4 * at));
}

function assemble(directory: SegmentDirectory, blocks: Buffer): Buffer {
  const text = Buffer.from(JSON.stringify(directory));
  const head = Buffer.alloc(HEAD_BYTES);
  head.write(MAGIC, 'latin1');
  head.writeUInt32BE(text.length, 4);
  return Buffer.concat([head, text, blocks]);
}

/** The same index of another source with the same bytes. Pure. */
export function replaceSource(index: Buffer, source: SegmentDirectory['source']): Buffer {
  const start = HEAD_BYTES + directoryBytes(index);
  return assemble({ ...readDirectory(index.subarray(HEAD_BYTES, start)), source }, index.subarray(start));
}

/** Length in bytes of the directory after the head. @throws Mp4Error where `head` is of another file. */
export function directoryBytes(head: Buffer): number {
  if (head.length < HEAD_BYTES || head.toString('latin1', 0, 4) !== MAGIC) throw new Mp4Error('Not a segment index.');
  return head.readUInt32BE(4);
}

export function readDirectory(bytes: Buffer): SegmentDirectory {
  // Written by `writeSegmentIndex`.
  return JSON.parse(bytes.toString()) as SegmentDirectory;
}

const ALL_SYNC = 0xffff_ffff;
const WORD = 2 ** 32;

/** Words of a block before its runs. */
const FIXED_WORDS = 7;

/** Of the blocks of a track: where every sample begins a run of positions and of durations. */
function mostWords(samples: number, segments: number): number {
  return FIXED_WORDS * segments + 8 * samples;
}

/**
 * Words of 32 bits, little-endian: counts, decoding time of the first sample, then positions and durations in runs;
 * sizes, shifts and sync samples. Written from word `start` on; returns the word after it.
 */
function writeBlock(words: Uint32Array, start: number, samples: SampleIndex, { first, end }: Cut): number {
  const { sizes, decodeTimes, shifts } = samples;
  const sync = samples.sync?.subarray(firstFrom(samples.sync, first), firstFrom(samples.sync, end)) ?? null;
  const places = start + FIXED_WORDS;
  const durations = writePlaces(words, places, samples, first, end);
  let at = writeDurations(words, durations, decodeTimes, first, end);
  const runs = [(durations - places) / 3, (at - durations) / 2];
  const counts = [end - first, ...runs, shifts ? 1 : 0, sync?.length ?? ALL_SYNC];
  words.set(counts, start);
  writeLong(words, start + counts.length, decodeTimes[first] ?? 0);
  words.set(sizes.subarray(first, end), at);
  at += end - first;
  if (shifts) {
    words.set(shifts.subarray(first, end), at);
    at += end - first;
  }
  for (const sample of sync ?? []) {
    words[at] = sample - first;
    at += 1;
  }
  return at;
}

/** Runs of samples that follow each other in the file: the position of each, and how many there are. */
function writePlaces(words: Uint32Array, start: number, samples: SampleIndex, first: number, end: number): number {
  const { offsets, sizes } = samples;
  let at = start;
  for (let sample = first; sample < end; ) {
    const begin = sample;
    const position = offsets[sample] ?? 0;
    let next = position;
    do {
      next += sizes[sample] ?? 0;
      sample += 1;
    } while (sample < end && offsets[sample] === next);
    writeLong(words, at, position);
    words[at + 2] = sample - begin;
    at += 3;
  }
  return at;
}

/** Runs of samples of the same duration: how many there are, and the duration. */
function writeDurations(words: Uint32Array, start: number, times: Float64Array, first: number, end: number): number {
  const durationOf = (sample: number) => (times[sample + 1] ?? 0) - (times[sample] ?? 0);
  let at = start;
  for (let sample = first; sample < end; ) {
    const begin = sample;
    const duration = durationOf(begin);
    do sample += 1;
    while (sample < end && durationOf(sample) === duration);
    words[at] = sample - begin;
    words[at + 1] = duration;
    at += 2;
  }
  return at;
}

/** An integer of up to 53 bits. */
function writeLong(words: Uint32Array, at: number, value: number): void {
  words[at] = value % WORD;
  words[at + 1] = Math.floor(value / WORD);
}

/** Reads what `writeBlock` wrote: the samples of one segment. @throws Mp4Error where the block is damaged. */
export function readBlock(bytes: Buffer): SampleIndex {
  try {
    return readSamples(new BlockReader(bytes));
  } catch (error) {
    if (error instanceof RangeError) throw new Mp4Error('The block of a segment is damaged.');
    throw error;
  }
}

function readSamples(reader: BlockReader): SampleIndex {
  const [count, positions, durations, hasShifts, syncs] = [0, 1, 2, 3, 4].map(() => reader.word()) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const decodeTimes = new Float64Array(count + 1);
  decodeTimes[0] = reader.long();
  const offsets = new Float64Array(count);
  const places = Array.from({ length: positions }, () => ({ offset: reader.long(), length: reader.word() }));
  let sample = 0;
  for (let run = 0; run < durations; run += 1) {
    const [length, duration] = [reader.word(), reader.word()];
    for (const end = sample + length; sample < end; sample += 1)
      decodeTimes[sample + 1] = (decodeTimes[sample] ?? 0) + duration;
  }
  const sizes = Uint32Array.from({ length: count }, () => reader.word());
  const shifts = hasShifts ? Int32Array.from({ length: count }, () => reader.word() | 0) : null;
  const sync = syncs === ALL_SYNC ? null : Uint32Array.from({ length: syncs }, () => reader.word());
  sample = 0;
  for (const { offset, length } of places)
    for (let end = sample + length, at = offset; sample < end; sample += 1) {
      offsets[sample] = at;
      at += sizes[sample] ?? 0;
    }
  return { count, offsets, sizes, decodeTimes, shifts, sync, description: 1 };
}

class BlockReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  word(): number {
    this.#at += 4;
    return this.#bytes.readUInt32LE(this.#at - 4);
  }

  long(): number {
    return this.word() + WORD * this.word();
  }
}
