import { type Box, BoxBudget, boxesIn, Mp4Error, readTopLevelBox } from './boxes.ts';
import type { ByteSource } from './byte-source.ts';

/** One entry of an edit list (section 8.6.6), in the time scale of the movie, and of the track for `mediaTime`. */
export interface Edit {
  readonly duration: number;
  /** Where in the track it begins; -1: nothing is shown. */
  readonly mediaTime: number;
  /** 1 is ordinary speed. */
  readonly rate: number;
}

/** What a track declares, and where its tables are. */
export interface Track {
  readonly id: number;
  /** `vide`, `soun`, `text` and others (section 8.4.3). */
  readonly handler: string;
  /** Units per second. */
  readonly timescale: number;
  /** In units of the track; null where the header does not specify it. */
  readonly duration: number | null;
  /** ISO 639-2/T; null where it is undetermined. */
  readonly language: string | null;
  /** The nine values of the matrix in the track header (section 8.3.2), as stored. */
  readonly matrix: readonly number[];
  /** As displayed, 16.16 fixed point. */
  readonly width: number;
  readonly height: number;
  readonly edits: readonly Edit[];
  /** Boxes of the sample table by their types (section 8.5), as positions in the movie box. */
  readonly tables: ReadonlyMap<string, Box>;
}

/** The movie box of a file (section 8.2.1). */
export interface Movie {
  /** Content of the box: what positions of tables refer to. */
  readonly bytes: Buffer;
  readonly timescale: number;
  /** Whether samples can be in fragments (section 8.8.1). */
  readonly fragmented: boolean;
  readonly tracks: readonly Track[];
}

/** Reads the movie box of a file; null where there is none. @throws Mp4Error where it is malformed. */
export async function readMovie(source: ByteSource): Promise<Movie | null> {
  const bytes = await readTopLevelBox(source, 'moov');
  return bytes === null ? null : parseMovie(bytes);
}

/** Parses the content of a movie box. Pure. @throws Mp4Error where it is malformed. */
export function parseMovie(bytes: Buffer): Movie {
  const reader = new MovieReader(bytes);
  try {
    return reader.movie();
  } catch (error) {
    // Fields are read where their boxes must have them; a box too short for its fields ends here.
    if (error instanceof RangeError) throw new Mp4Error('A box is too short for its fields.');
    throw error;
  }
}

class MovieReader {
  readonly #bytes: Buffer;
  readonly #budget = new BoxBudget();

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  movie(): Movie {
    const boxes = [...boxesIn(this.#bytes, { start: 0, end: this.#bytes.length }, this.#budget)];
    const header = boxes.find(({ type }) => type === 'mvhd');
    if (header === undefined) throw new Mp4Error('The movie has no header.');
    return {
      bytes: this.#bytes,
      timescale: this.#times(header).timescale,
      fragmented: boxes.some(({ type }) => type === 'mvex'),
      tracks: boxes.filter(({ type }) => type === 'trak').map((box) => this.#track(box)),
    };
  }

  #track(trak: Box): Track {
    const header = this.#required(trak, 'tkhd');
    const edits = this.#child(trak, 'edts');
    const list = edits && this.#child(edits, 'elst');
    const media = this.#required(trak, 'mdia');
    const mediaHeader = this.#required(media, 'mdhd');
    const handler = this.#required(media, 'hdlr');
    const information = this.#child(media, 'minf');
    const table = information && this.#child(information, 'stbl');
    const { timescale, duration, after } = this.#times(mediaHeader);
    return {
      ...this.#trackHeader(header),
      // Version and flags, a reserved word, then the type.
      handler: this.#field(handler, 8, 4).toString('latin1'),
      timescale,
      duration,
      language: languageOf(this.#field(mediaHeader, after, 2).readUInt16BE()),
      edits: list ? this.#edits(list) : [],
      tables: new Map(table ? [...boxesIn(this.#bytes, table, this.#budget)].map((box) => [box.type, box]) : []),
    };
  }

  #trackHeader(box: Box): Pick<Track, 'id' | 'matrix' | 'width' | 'height'> {
    const large = this.#version(box) === 1;
    const at = large ? 48 : 36;
    return {
      id: this.#field(box, large ? 20 : 12, 4).readUInt32BE(),
      matrix: Array.from({ length: 9 }, (_, index) => this.#field(box, at + 4 + 4 * index, 4).readInt32BE()),
      width: this.#field(box, at + 40, 4).readUInt32BE(),
      height: this.#field(box, at + 44, 4).readUInt32BE(),
    };
  }

  /** Time scale and duration of `mvhd` or `mdhd` (sections 8.2.2 and 8.4.2), and where the fields after them begin. */
  #times(box: Box): { timescale: number; duration: number | null; after: number } {
    if (this.#version(box) === 0) {
      const duration = this.#field(box, 16, 4).readUInt32BE();
      return {
        timescale: this.#field(box, 12, 4).readUInt32BE(),
        duration: duration === 0xffff_ffff ? null : duration,
        after: 20,
      };
    }
    const duration = this.#field(box, 24, 8).readBigUInt64BE();
    return {
      timescale: this.#field(box, 20, 4).readUInt32BE(),
      duration: duration > BigInt(Number.MAX_SAFE_INTEGER) ? null : Number(duration),
      after: 32,
    };
  }

  #edits(box: Box): Edit[] {
    const large = this.#version(box) === 1;
    const entryBytes = large ? 20 : 12;
    const count = this.#field(box, 4, 4).readUInt32BE();
    if (box.start + 8 + count * entryBytes > box.end) throw new Mp4Error('The edit list is longer than its box.');
    return Array.from({ length: count }, (_, index) => {
      const entry = this.#field(box, 8 + index * entryBytes, entryBytes);
      return {
        duration: large ? Number(entry.readBigUInt64BE(0)) : entry.readUInt32BE(0),
        mediaTime: large ? Number(entry.readBigInt64BE(8)) : entry.readInt32BE(4),
        rate: entry.readInt32BE(large ? 16 : 8) / 0x10000,
      };
    });
  }

  #version(box: Box): number {
    return this.#field(box, 0, 1).readUInt8();
  }

  /** Bytes of a field, `offset` after the beginning of the content of a box, and within it. */
  #field(box: Box, offset: number, length: number): Buffer {
    if (box.start + offset + length > box.end) throw new Mp4Error(`The ${box.type} box is too short.`);
    return this.#bytes.subarray(box.start + offset, box.start + offset + length);
  }

  #child(parent: Box, type: string): Box | undefined {
    return [...boxesIn(this.#bytes, parent, this.#budget)].find((box) => box.type === type);
  }

  #required(parent: Box, type: string): Box {
    const box = this.#child(parent, type);
    if (box === undefined) throw new Mp4Error(`A ${parent.type} box has no ${type} box.`);
    return box;
  }
}

/** Three letters of five bits each, counted from 0x60 (section 8.4.2.3). */
function languageOf(packed: number): string | null {
  const letters = [10, 5, 0].map((shift) => String.fromCharCode(((packed >> shift) & 31) + 0x60)).join('');
  return /^[a-z]{3}$/.test(letters) && letters !== 'und' ? letters : null;
}
