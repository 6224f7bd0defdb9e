import { Mp4Error } from './boxes.ts';
import type { Cut } from './cut-plan.ts';
import { firstFrom } from './first-from.ts';
import type { SampleIndex } from './sample-index.ts';

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
  let words = 0;
  const layouts = tracks.map(({ name, samples, cuts }) => ({
    name,
    samples,
    blocks: cuts.map((cut) => {
      const layout = layoutOf(samples, cut, words);
      words = layout.end;
      return layout;
    }),
  }));
  const places = layouts.map(({ name, blocks }) => [
    name,
    blocks.map(({ start, end }) => [4 * start, 4 * (end - start)]),
  ]);
  const directory = directoryText({ source, tracks: Object.fromEntries(places) });
  // Written in place: long videos have tens of megabytes.
  const bytes = Buffer.allocUnsafeSlow(directory.length + 4 * words);
  directory.copy(bytes);
  const into = new Uint32Array(bytes.buffer, directory.length, words);
  for (const { samples, blocks } of layouts) for (const block of blocks) writeBlock(into, samples, block);
  return bytes;
}

/** Head and directory, with spaces at the end so that words can follow; at least so many bytes. */
function directoryText(directory: SegmentDirectory, leastBytes = 0): Buffer {
  const text = Buffer.from(JSON.stringify(directory));
  const bytes = Buffer.alloc(Math.max(leastBytes, 4 * Math.ceil((HEAD_BYTES + text.length) / 4)), ' ');
  bytes.write(MAGIC, 'latin1');
  bytes.writeUInt32BE(bytes.length - HEAD_BYTES, 4);
  text.copy(bytes, HEAD_BYTES);
  return bytes;
}

/** The same index of another source with the same bytes, no shorter than before. Pure. */
export function replaceSource(index: Buffer, source: SegmentDirectory['source']): Buffer {
  const start = HEAD_BYTES + directoryBytes(index);
  const directory = { ...readDirectory(index.subarray(HEAD_BYTES, start)), source };
  return Buffer.concat([directoryText(directory, start), index.subarray(start)]);
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

/** Where a block begins and ends, in words, and how many runs it has. */
interface BlockLayout {
  readonly cut: Cut;
  readonly places: number;
  readonly durations: number;
  readonly sync: Uint32Array | null;
  readonly start: number;
  readonly end: number;
}

function layoutOf(samples: SampleIndex, cut: Cut, start: number): BlockLayout {
  const { offsets, sizes, decodeTimes: times } = samples;
  const { first, end } = cut;
  let [places, durations] = [1, 1];
  for (let sample = first + 1; sample < end; sample += 1) {
    const time = times[sample] ?? 0;
    if (offsets[sample] !== (offsets[sample - 1] ?? 0) + (sizes[sample - 1] ?? 0)) places += 1;
    if ((times[sample + 1] ?? 0) - time !== time - (times[sample - 1] ?? 0)) durations += 1;
  }
  const sync = samples.sync?.subarray(firstFrom(samples.sync, first), firstFrom(samples.sync, end)) ?? null;
  const words = (end - first) * (samples.shifts ? 2 : 1) + (sync?.length ?? 0);
  return { cut, places, durations, sync, start, end: start + FIXED_WORDS + 3 * places + 2 * durations + words };
}

/**
 * Words of 32 bits, little-endian: counts, decoding time of the first sample, then positions and durations in runs;
 * sizes, shifts and sync samples.
 */
function writeBlock(words: Uint32Array, samples: SampleIndex, layout: BlockLayout): void {
  const { offsets, sizes, decodeTimes: times, shifts } = samples;
  const { cut, places, durations, sync, start } = layout;
  const { first, end } = cut;
  words.set([end - first, places, durations, shifts ? 1 : 0, sync?.length ?? ALL_SYNC], start);
  writeLong(words, start + FIXED_WORDS - 2, times[first] ?? 0);
  let place = start + FIXED_WORDS;
  let duration = place + 3 * places;
  let at = duration + 2 * durations;
  let [placed, timed, length] = [first, first, (times[first + 1] ?? 0) - (times[first] ?? 0)];
  for (let sample = first + 1; sample <= end; sample += 1) {
    const next = (times[sample + 1] ?? 0) - (times[sample] ?? 0);
    if (sample === end || offsets[sample] !== (offsets[sample - 1] ?? 0) + (sizes[sample - 1] ?? 0)) {
      writeLong(words, place, offsets[placed] ?? 0);
      words[place + 2] = sample - placed;
      place += 3;
      placed = sample;
    }
    if (sample === end || next !== length) {
      words[duration] = sample - timed;
      words[duration + 1] = length;
      duration += 2;
      timed = sample;
      length = next;
    }
  }
  words.set(sizes.subarray(first, end), at);
  at += end - first;
  if (shifts) words.set(shifts.subarray(first, end), at);
  if (shifts) at += end - first;
  if (sync) for (let index = 0; index < sync.length; index += 1) words[at + index] = (sync[index] ?? 0) - first;
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
