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
  const blocks: Buffer[] = [];
  let position = 0;
  const places = tracks.map(({ name, samples, cuts }) => {
    const segments = cuts.map((cut) => {
      const block = writeBlock(samples, cut);
      blocks.push(block);
      position += block.length;
      return [position - block.length, block.length] as const;
    });
    return [name, segments] as const;
  });
  return assemble({ source, tracks: Object.fromEntries(places) }, blocks);
}

function assemble(directory: SegmentDirectory, blocks: readonly Buffer[]): Buffer {
  const text = Buffer.from(JSON.stringify(directory));
  const head = Buffer.alloc(HEAD_BYTES);
  head.write(MAGIC, 'latin1');
  head.writeUInt32BE(text.length, 4);
  return Buffer.concat([head, text, ...blocks]);
}

/** The same index of another source with the same bytes. Pure. */
export function replaceSource(index: Buffer, source: SegmentDirectory['source']): Buffer {
  const start = HEAD_BYTES + directoryBytes(index);
  return assemble({ ...readDirectory(index.subarray(HEAD_BYTES, start)), source }, [index.subarray(start)]);
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

/**
 * Words of 32 bits, little-endian: counts, decoding time of the first sample, then positions and durations in runs;
 * sizes, shifts and sync samples.
 */
function writeBlock(samples: SampleIndex, { first, end }: Cut): Buffer {
  const { offsets, sizes, decodeTimes, shifts } = samples;
  const durationOf = (sample: number) => (decodeTimes[sample + 1] ?? 0) - (decodeTimes[sample] ?? 0);
  const [positions, durations]: [number[], number[]] = [[first], [first]];
  for (let sample = first + 1; sample < end; sample += 1) {
    if (offsets[sample] !== (offsets[sample - 1] ?? 0) + (sizes[sample - 1] ?? 0)) positions.push(sample);
    if (durationOf(sample) !== durationOf(sample - 1)) durations.push(sample);
  }
  const sync = samples.sync?.subarray(firstFrom(samples.sync, first), firstFrom(samples.sync, end)) ?? null;
  const words = 7 + 3 * positions.length + 2 * durations.length + (end - first) * (shifts ? 2 : 1);
  const writer = new BlockWriter(words + (sync?.length ?? 0));
  for (const value of [end - first, positions.length, durations.length, shifts ? 1 : 0, sync?.length ?? ALL_SYNC])
    writer.word(value);
  writer.long(decodeTimes[first] ?? 0);
  for (const [run, start] of positions.entries()) {
    writer.long(offsets[start] ?? 0);
    writer.word((positions[run + 1] ?? end) - start);
  }
  for (const [run, start] of durations.entries()) {
    writer.word((durations[run + 1] ?? end) - start);
    writer.word(durationOf(start));
  }
  writer.words(sizes.subarray(first, end));
  if (shifts) writer.words(shifts.subarray(first, end));
  if (sync) writer.words(sync.map((sample) => sample - first));
  return writer.bytes();
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

class BlockWriter {
  readonly #words: Uint32Array<ArrayBuffer>;
  #at = 0;

  constructor(length: number) {
    this.#words = new Uint32Array(length);
  }

  word(value: number): void {
    this.#words[this.#at] = value;
    this.#at += 1;
  }

  /** An integer of up to 53 bits. */
  long(value: number): void {
    this.word(value % WORD);
    this.word(Math.floor(value / WORD));
  }

  words(values: ArrayLike<number>): void {
    this.#words.set(values, this.#at);
    this.#at += values.length;
  }

  bytes(): Buffer {
    return Buffer.from(this.#words.buffer);
  }
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
