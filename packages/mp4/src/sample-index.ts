import { type Box, Mp4Error } from './boxes.ts';
import type { Movie, Track } from './movie.ts';

/** The samples of a track in decoding order. Times are in the time scale of the track. */
export interface SampleIndex {
  readonly count: number;
  /** Positions in the file. */
  readonly offsets: Float64Array;
  readonly sizes: Uint32Array;
  /** Decoding time of each sample, and the end of the last one: `count + 1` values. */
  readonly decodeTimes: Float64Array;
  /** Composition time minus decoding time; null where they are equal for all. */
  readonly shifts: Int32Array | null;
  /** Numbers of the sync samples, from 0, rising; null where every sample is one. */
  readonly sync: Uint32Array | null;
  /** Number of the sample description of all samples, from 1; null where they have several. */
  readonly description: number | null;
}

/** Twelve hours of sound at 48 kHz have 2 million samples (frames of 1024), of video at 120 frames 5 million. */
export const MAX_SAMPLES = 8_000_000;

/**
 * Reads the sample tables of a track (ISO/IEC 14496-12 section 8.5 to 8.7). Every table is checked against the others
 * and against the size of the file, so that what is read from it lies within the file. Pure.
 * @throws Mp4Error where they contradict each other.
 */
export function readSampleIndex(movie: Movie, track: Track, fileBytes: number): SampleIndex {
  const tables = new Tables(movie.bytes, track);
  const sizes = sampleSizes(tables);
  const count = sizes.length;
  const { offsets, description } = sampleOffsets(tables, sizes, fileBytes);
  return {
    count,
    sizes,
    offsets,
    description,
    decodeTimes: decodeTimes(tables, count),
    shifts: compositionShifts(tables, count),
    sync: syncSamples(tables, count),
  };
}

/** The tables of a track by type: the words after the count, as many as the box holds. */
export class Tables {
  readonly #bytes: Buffer;
  readonly #track: Track;

  constructor(bytes: Buffer, track: Track) {
    this.#bytes = bytes;
    this.#track = track;
  }

  box(type: string): Box | null {
    return this.#track.tables.get(type) ?? null;
  }

  required(type: string): Box {
    const box = this.box(type);
    if (box === null) throw new Mp4Error(`There is no ${type} table.`);
    return box;
  }

  version(box: Box): number {
    return this.#bytes.readUInt8(box.start);
  }

  /** The word `index` after version and flags. */
  word(box: Box, index: number): number {
    const at = box.start + 4 + 4 * index;
    if (at + 4 > box.end) throw new Mp4Error(`The ${box.type} table is too short.`);
    return this.#bytes.readUInt32BE(at);
  }

  /** All words of the entries after a count, of `words` words each, whose first word is word `first`. */
  entries(box: Box, words: number, first = 1): Uint32Array {
    const count = this.word(box, first - 1);
    const start = box.start + 4 + 4 * first;
    const end = start + 4 * words * count;
    if (end > box.end) throw new Mp4Error(`The ${box.type} table is longer than its box.`);
    const own = new Uint8Array(this.#bytes.subarray(start, end));
    Buffer.from(own.buffer).swap32();
    return new Uint32Array(own.buffer);
  }
}

/** Sizes of all samples (section 8.7.3.2). The compact form of section 8.7.3.3 is not read. */
function sampleSizes(tables: Tables): Uint32Array {
  const box = tables.required('stsz');
  const [constant, count] = [tables.word(box, 0), tables.word(box, 1)];
  if (count > MAX_SAMPLES) throw new Mp4Error(`There are ${count} samples, ${MAX_SAMPLES} at most.`);
  if (constant > 0) return new Uint32Array(count).fill(constant);
  return tables.entries(box, 1, 2);
}

/** Positions of all samples: those of their chunks (section 8.7.5), and the samples of each chunk (section 8.7.4). */
function sampleOffsets(tables: Tables, sizes: Uint32Array, fileBytes: number) {
  const chunks = chunkPositions(tables);
  const runs = tables.entries(tables.required('stsc'), 3);
  const offsets = new Float64Array(sizes.length);
  let sample = 0;
  let description: number | null = runs[2] ?? 1;
  for (let run = 0; run < runs.length && sample < sizes.length; run += 3) {
    const [first, perChunk] = [runs[run] ?? 0, runs[run + 1] ?? 0];
    const next = runs[run + 3] ?? chunks.length + 1;
    if (first < 1 || next <= first || next > chunks.length + 1) throw new Mp4Error('The chunks are not in order.');
    if (runs[run + 2] !== description) description = null;
    for (let chunk = first - 1; chunk < next - 1 && sample < sizes.length; chunk += 1) {
      let position = chunks[chunk] ?? 0;
      const end = Math.min(sizes.length, sample + perChunk);
      for (; sample < end; sample += 1) {
        const size = sizes[sample] ?? 0;
        if (position + size > fileBytes) throw new Mp4Error(`Sample ${sample} lies beyond the end of the file.`);
        offsets[sample] = position;
        position += size;
      }
    }
  }
  if (sample < sizes.length) throw new Mp4Error('There are more samples than chunks hold.');
  return { offsets, description };
}

/** Positions of all chunks (section 8.7.5), in 32 or 64 bits. */
export function chunkPositions(tables: Tables): Uint32Array | Float64Array {
  const box = tables.box('co64');
  if (box === null) return tables.entries(tables.required('stco'), 1);
  const words = tables.entries(box, 2);
  const positions = new Float64Array(words.length / 2);
  for (let chunk = 0; chunk < positions.length; chunk += 1)
    positions[chunk] = (words[2 * chunk] ?? 0) * 2 ** 32 + (words[2 * chunk + 1] ?? 0);
  return positions;
}

/** Decoding times (section 8.6.1.2), and the end of the last sample. */
function decodeTimes(tables: Tables, count: number): Float64Array {
  const runs = tables.entries(tables.required('stts'), 2);
  const times = new Float64Array(count + 1);
  let [sample, time] = [0, 0];
  for (let run = 0; run < runs.length; run += 2) {
    const [length, delta] = [runs[run] ?? 0, runs[run + 1] ?? 0];
    if (sample + length > count) throw new Mp4Error('There are more times than samples.');
    for (const end = sample + length; sample < end; sample += 1) {
      times[sample] = time;
      time += delta;
    }
  }
  if (sample < count) throw new Mp4Error('There are fewer times than samples.');
  times[count] = time;
  return times;
}

/** Composition offsets (section 8.6.1.3). Many writers use negative ones in version 0, too. */
function compositionShifts(tables: Tables, count: number): Int32Array | null {
  const box = tables.box('ctts');
  if (box === null) return null;
  const runs = tables.entries(box, 2);
  const shifts = new Int32Array(count);
  let sample = 0;
  for (let run = 0; run < runs.length; run += 2) {
    const [length, shift] = [runs[run] ?? 0, (runs[run + 1] ?? 0) | 0];
    if (sample + length > count) throw new Mp4Error('There are more composition offsets than samples.');
    for (const end = sample + length; sample < end; sample += 1) shifts[sample] = shift;
  }
  return shifts;
}

/** Sync samples (section 8.6.2). */
function syncSamples(tables: Tables, count: number): Uint32Array | null {
  const box = tables.box('stss');
  if (box === null) return null;
  const entries = tables.entries(box, 1);
  const sync = new Uint32Array(Math.min(entries.length, count));
  let previous = -1;
  for (let entry = 0; entry < entries.length; entry += 1) {
    const sample = (entries[entry] ?? 0) - 1;
    if (sample <= previous || sample >= count) throw new Mp4Error('The sync samples are not in order.');
    sync[entry] = sample;
    previous = sample;
  }
  return sync;
}
