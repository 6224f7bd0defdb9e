import { type FileHandle, open } from 'node:fs/promises';
import { isDurationPlausible } from './plausible-duration.ts';

/** Declared duration of a track, and that of its samples, in units of its time scale. */
export interface Mp4TrackTimes {
  /** `vide`, `soun` and others (ISO/IEC 14496-12 section 8.4.3). */
  readonly handler: string;
  /** Units per second (section 8.4.2). */
  readonly timescale: number;
  /** Declared in its header; null if marked as unknown. */
  readonly declaredUnits: number | null;
  /** Sum over its sample table (section 8.6.1.2); null when it is too long to read. */
  readonly sampleUnits: number | null;
}

/** Times declared in an MP4 or QuickTime file. */
export interface Mp4Times {
  /** Of the movie header (section 8.2.2); null without one. */
  readonly timescale: number | null;
  /** Whether there are fragments, whose samples are not in the tables (section 8.8.1). */
  readonly fragmented: boolean;
  readonly tracks: readonly Mp4TrackTimes[];
}

/** A box: its type and the position of its content. */
interface Box {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** Maximum number of boxes and of table entries read from a file: more are an attack. */
const MAX_BOXES = 10_000;
const MAX_ENTRIES = 8_000_000;
const CHUNK_BYTES = 1024 ** 2;

/**
 * Reads the times of the file at `path`, a few kilobytes of it and its time-to-sample tables; null where it has no
 * `moov`.
 */
export async function readMp4Times(path: string): Promise<Mp4Times | null> {
  const file = await open(path, 'r');
  try {
    return await new Mp4Reader(file, (await file.stat()).size).times();
  } finally {
    await file.close();
  }
}

class Mp4Reader {
  readonly #file: FileHandle;
  readonly #sizeBytes: number;
  #boxes = 0;

  constructor(file: FileHandle, sizeBytes: number) {
    this.#file = file;
    this.#sizeBytes = sizeBytes;
  }

  async times(): Promise<Mp4Times | null> {
    for await (const box of this.#children({ type: 'file', start: 0, end: this.#sizeBytes }))
      if (box.type === 'moov') return this.#movie(box);
    return null;
  }

  async #movie(moov: Box): Promise<Mp4Times> {
    let timescale: number | null = null;
    let fragmented = false;
    const tracks: Mp4TrackTimes[] = [];
    for await (const box of this.#children(moov)) {
      if (box.type === 'mvhd') timescale = (await this.#header(box))?.timescale ?? null;
      if (box.type === 'mvex') fragmented = true;
      if (box.type !== 'trak') continue;
      const track = await this.#track(box);
      if (track) tracks.push(track);
    }
    return { timescale, fragmented, tracks };
  }

  async #track(trak: Box): Promise<Mp4TrackTimes | null> {
    let header: { timescale: number; units: number | null } | null = null;
    let handler = '';
    let sampleUnits: number | null = null;
    const mdia = await this.#child(trak, 'mdia');
    if (!mdia) return null;
    for await (const box of this.#children(mdia)) {
      if (box.type === 'mdhd') header = await this.#header(box);
      // Version and flags, a reserved word, then the type.
      if (box.type === 'hdlr') handler = (await this.#read(box.start + 8, 4)).toString('latin1');
      if (box.type === 'minf') sampleUnits = await this.#sampleUnits(box);
    }
    return header && { handler, timescale: header.timescale, declaredUnits: header.units, sampleUnits };
  }

  async #sampleUnits(minf: Box): Promise<number | null> {
    const stbl = await this.#child(minf, 'stbl');
    const stts = stbl && (await this.#child(stbl, 'stts'));
    if (!stts) return null;
    const declared = (await this.#read(stts.start + 4, 4)).readUInt32BE();
    const entries = Math.min(declared, Math.floor((stts.end - stts.start - 8) / 8));
    if (entries > MAX_ENTRIES) return null;
    let units = 0;
    for (let at = stts.start + 8, end = at + 8 * entries; at < end; at += CHUNK_BYTES) {
      const bytes = await this.#read(at, Math.min(CHUNK_BYTES, end - at));
      for (let entry = 0; entry + 8 <= bytes.length; entry += 8)
        units += bytes.readUInt32BE(entry) * bytes.readUInt32BE(entry + 4);
    }
    return units;
  }

  /** Time scale and duration of `mvhd` or `mdhd`, in either version. */
  async #header(box: Box): Promise<{ timescale: number; units: number | null } | null> {
    if (box.end - box.start < 20) return null;
    const bytes = await this.#read(box.start, Math.min(32, box.end - box.start));
    if (bytes[0] === 0) {
      const units = bytes.readUInt32BE(16);
      return { timescale: bytes.readUInt32BE(12), units: units === 0xffff_ffff ? null : units };
    }
    if (bytes.length < 32) return null;
    const units = bytes.readBigUInt64BE(24);
    return { timescale: bytes.readUInt32BE(20), units: units > BigInt(Number.MAX_SAFE_INTEGER) ? null : Number(units) };
  }

  async #child(parent: Box, type: string): Promise<Box | null> {
    for await (const box of this.#children(parent)) if (box.type === type) return box;
    return null;
  }

  /** The boxes inside another one (section 4.2); boxes beyond its end are truncated. */
  async *#children(parent: Box): AsyncGenerator<Box> {
    for (let at = parent.start; at + 8 <= parent.end; ) {
      this.#boxes += 1;
      if (this.#boxes > MAX_BOXES) return;
      const head = await this.#read(at, Math.min(16, parent.end - at));
      if (head.length < 8) return;
      const size = head.readUInt32BE(0);
      const large = size === 1 && head.length === 16;
      const length = large ? Number(head.readBigUInt64BE(8)) : size === 0 ? parent.end - at : size;
      const headBytes = large ? 16 : 8;
      if (length < headBytes) return;
      yield { type: head.toString('latin1', 4, 8), start: at + headBytes, end: Math.min(parent.end, at + length) };
      at += length;
    }
  }

  async #read(position: number, length: number): Promise<Buffer> {
    const { buffer, bytesRead } = await this.#file.read(Buffer.alloc(length), 0, length, position);
    // A table that ends within a word is padded with zeros.
    return bytesRead < length && length <= 8 ? buffer : buffer.subarray(0, bytesRead);
  }
}

/**
 * Whether the declared times are `plausible`, the duration of a track must be measured (`measure`), a time scale is so
 * coarse that measured and declared duration must agree (`doubtful`), or is invalid (`impossible`).
 */
export type Mp4TimesResult = 'plausible' | 'measure' | 'doubtful' | 'impossible';

/**
 * Checks the times of the tracks that are played. No time scale is 0, and one of 1 can only be that of a video whose
 * pictures last whole seconds. A declared length is measured where the samples contradict it, and where there are
 * fragments, which are in no table. `declaredMs` is what the tools read from the headers, edit lists included; null
 * where they declare none. Pure.
 */
export function checkMp4Times({ timescale, fragmented, tracks }: Mp4Times, declaredMs: number | null): Mp4TimesResult {
  const played = tracks.filter(({ handler }) => handler === 'vide' || handler === 'soun');
  if (timescale === 0 || played.some((track) => track.timescale === 0)) return 'impossible';
  const coarse = played.filter((track) => timescale === 1 || track.timescale === 1);
  if (coarse.length > 0) {
    // An edit list that shows seconds of what would be days long is the old one, from before the time scale was
    // changed.
    const longer = coarse.some(
      ({ timescale: scale, sampleUnits }) =>
        declaredMs !== null && sampleUnits && !isDurationPlausible(sampleUnits / scale, declaredMs),
    );
    return longer && !fragmented ? 'impossible' : 'doubtful';
  }
  if (fragmented) return 'measure';
  const contradicted = played.some((track) => {
    const { declaredUnits, sampleUnits } = track;
    if (declaredUnits === null || sampleUnits === null) return true;
    // As `isDurationPlausible`: headers are imprecise.
    const tolerance = Math.max(1.5 * track.timescale, 0.05 * sampleUnits);
    return Math.abs(declaredUnits - sampleUnits) > tolerance;
  });
  return contradicted ? 'measure' : 'plausible';
}
