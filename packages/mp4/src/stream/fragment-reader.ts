import { type Box, BoxBudget, boxesIn, Mp4Error } from '../boxes.ts';
import type { StreamSample } from '../fragment.ts';
import { readSampleEntry, type SampleEntry } from '../sample-entry.ts';

/** A track of a stream of fragments. */
export interface FragmentedTrack {
  readonly id: number;
  readonly timescale: number;
  readonly entry: SampleEntry;
}

/** A sample of a track, with its decoding time in units of the track. */
export interface FragmentedSample extends StreamSample {
  readonly track: number;
  readonly decodeTime: number;
}

export interface FragmentedHandlers {
  readonly onTrack: (track: FragmentedTrack) => void;
  readonly onSample: (sample: FragmentedSample) => void;
}

/** No box is larger. */
const MOST_BYTES = 64 * 1024 ** 2;
const HEAD_BYTES = 8;
/** Of a movie fragment: the samples of an own program are few. */
const MOST_SAMPLES = 100_000;

/** Flags of a fragment of a track (section 8.8.7) and of a run of samples (section 8.8.8). */
const HEADER = { base: 0x1, description: 0x2, duration: 0x8, size: 0x10, flags: 0x20 } as const;
const RUN = { offset: 0x1, firstFlags: 0x4, duration: 0x100, size: 0x200, flags: 0x400, shift: 0x800 } as const;
/** In the flags of a sample (section 8.8.3.1). */
const IS_NOT_SYNC = 0x10000;

/** What samples have that do not say it themselves. */
interface Defaults {
  readonly duration: number;
  readonly size: number;
  readonly flags: number;
}

/** Reads fragmented MP4 as it arrives (sections 8.8 and 8.16): bytes in, tracks and samples out. */
export class FragmentReader {
  readonly #handlers: FragmentedHandlers;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #needed = HEAD_BYTES;
  readonly #defaults = new Map<number, Defaults>();
  /** Of a fragment whose data has not arrived. */
  #fragment: Buffer | null = null;

  constructor(handlers: FragmentedHandlers) {
    this.#handlers = handlers;
  }

  /** Takes the bytes that arrive. @throws Mp4Error where they are malformed; what handlers throw. */
  push(bytes: Buffer): void {
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    if (this.#waitingBytes < this.#needed) return;
    const data = Buffer.concat(this.#waiting);
    let at = 0;
    this.#needed = HEAD_BYTES;
    while (data.length - at >= HEAD_BYTES) {
      const size = data.readUInt32BE(at);
      if (size < HEAD_BYTES || size > MOST_BYTES) throw new Mp4Error(`A box has ${size} bytes.`);
      if (data.length - at < size) {
        this.#needed = size;
        break;
      }
      this.#take(data.toString('latin1', at + 4, at + 8), data.subarray(at, at + size));
      at += size;
    }
    this.#waiting = [data.subarray(at)];
    this.#waitingBytes = data.length - at;
  }

  #take(type: string, bytes: Buffer): void {
    if (type === 'moov') this.#readMovie(bytes);
    else if (type === 'moof') this.#fragment = bytes;
    else if (type === 'mdat' && this.#fragment) {
      const fragment = this.#fragment;
      this.#fragment = null;
      this.#readFragment(fragment, bytes);
    }
  }

  #readMovie(bytes: Buffer): void {
    const movie = new Boxes(bytes);
    for (const extension of movie.all('mvex', 'trex')) {
      const [id, , duration, size, flags] = [0, 4, 8, 12, 16].map((offset) => movie.word(extension, 4 + offset));
      this.#defaults.set(id ?? 0, { duration: duration ?? 0, size: size ?? 0, flags: flags ?? 0 });
    }
    for (const track of movie.all('trak')) this.#readTrack(movie, track);
  }

  #readTrack(movie: Boxes, track: Box): void {
    const [header, media] = [movie.one(track, 'tkhd'), movie.one(track, 'mdia', 'mdhd')];
    const description = movie.one(track, 'mdia', 'minf', 'stbl', 'stsd');
    // After version and flags, and two times of 4 or 8 bytes.
    const afterTimes = (box: Box) => (movie.byte(box, 0) === 1 ? 20 : 12);
    const [entry] = boxesIn(movie.bytes, { start: description.start + 8, end: description.end }, movie.budget);
    if (!entry) throw new Mp4Error('A track has no sample entry.');
    this.#handlers.onTrack({
      id: movie.word(header, afterTimes(header)),
      timescale: movie.word(media, afterTimes(media)),
      entry: readSampleEntry(movie.bytes, entry, movie.budget),
    });
  }

  #readFragment(bytes: Buffer, data: Buffer): void {
    const fragment = new Boxes(bytes);
    // Positions count from the beginning of the fragment, which its data follows.
    let next = bytes.length + HEAD_BYTES;
    for (const track of fragment.all('traf')) {
      const header = readHeader(fragment, fragment.one(track, 'tfhd'), this.#defaults);
      const time = fragment.one(track, 'tfdt');
      let decodeTime = fragment.byte(time, 0) === 1 ? fragment.long(time, 4) : fragment.word(time, 4);
      for (const run of fragment.children(track, 'trun')) {
        const samples = readRun(fragment, run, header);
        next = samples.offset ?? next;
        for (const { size, ...sample } of samples.list) {
          const from = next - bytes.length;
          if (from < HEAD_BYTES || from + size > data.length) throw new Mp4Error('A sample lies outside its fragment.');
          this.#handlers.onSample({ track: header.id, decodeTime, ...sample, data: data.subarray(from, from + size) });
          decodeTime += sample.duration;
          next += size;
        }
      }
    }
  }
}

interface FragmentHeader extends Defaults {
  readonly id: number;
}

function readHeader(boxes: Boxes, header: Box, known: ReadonlyMap<number, Defaults>): FragmentHeader {
  const flags = boxes.word(header, 0) & 0xffffff;
  const id = boxes.word(header, 4);
  let at = 8;
  if (flags & HEADER.base) at += 8;
  if (flags & HEADER.description) at += 4;
  const given = (flag: number): number | null => {
    if (!(flags & flag)) return null;
    at += 4;
    return boxes.word(header, at - 4);
  };
  const defaults = known.get(id);
  const duration = given(HEADER.duration) ?? defaults?.duration ?? 0;
  const size = given(HEADER.size) ?? defaults?.size ?? 0;
  return { id, duration, size, flags: given(HEADER.flags) ?? defaults?.flags ?? 0 };
}

interface Run {
  /** From the beginning of the fragment; null for what follows the run before it. */
  readonly offset: number | null;
  readonly list: readonly (Omit<StreamSample, 'data'> & { readonly size: number })[];
}

function readRun(boxes: Boxes, run: Box, defaults: Defaults): Run {
  const flags = boxes.word(run, 0) & 0xffffff;
  const count = boxes.word(run, 4);
  if (count > MOST_SAMPLES) throw new Mp4Error(`A fragment has ${count} samples.`);
  let at = 8;
  const given = (flag: number): number | null => {
    if (!(flags & flag)) return null;
    at += 4;
    return boxes.word(run, at - 4);
  };
  const offset = given(RUN.offset);
  const firstFlags = given(RUN.firstFlags);
  const list = Array.from({ length: count }, (_, index) => {
    const duration = given(RUN.duration) ?? defaults.duration;
    const size = given(RUN.size) ?? defaults.size;
    const own = given(RUN.flags) ?? (index === 0 ? firstFlags : null) ?? defaults.flags;
    return { duration, size, isSync: (own & IS_NOT_SYNC) === 0, shift: (given(RUN.shift) ?? 0) | 0 };
  });
  return { offset, list };
}

/** A box at the top of a stream, and those in it. */
class Boxes {
  readonly bytes: Buffer;
  readonly budget = new BoxBudget();
  readonly #top: Box;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    this.#top = { type: '', start: HEAD_BYTES, end: bytes.length };
  }

  children(parent: Box, type: string): Box[] {
    return [...boxesIn(this.bytes, parent, this.budget)].filter((box) => box.type === type);
  }

  /** All boxes at the end of a path from the top. */
  all(...path: readonly string[]): Box[] {
    return path.reduce<Box[]>((parents, type) => parents.flatMap((each) => this.children(each, type)), [this.#top]);
  }

  /** The first box at the end of a path. @throws Mp4Error without one. */
  one(parent: Box, ...path: readonly string[]): Box {
    const [found] = path.reduce<Box[]>((all, type) => all.flatMap((each) => this.children(each, type)), [parent]);
    if (!found) throw new Mp4Error(`There is no ${path.at(-1)} box.`);
    return found;
  }

  byte(box: Box, offset: number): number {
    return this.bytes.readUInt8(this.#at(box, offset, 1));
  }

  word(box: Box, offset: number): number {
    return this.bytes.readUInt32BE(this.#at(box, offset, 4));
  }

  long(box: Box, offset: number): number {
    return Number(this.bytes.readBigUInt64BE(this.#at(box, offset, 8)));
  }

  #at(box: Box, offset: number, bytes: number): number {
    if (box.start + offset + bytes > box.end) throw new Mp4Error(`A ${box.type} box is cut off.`);
    return box.start + offset;
  }
}
