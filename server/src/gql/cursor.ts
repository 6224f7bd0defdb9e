import { crc32 } from 'node:zlib';

/** Longest cursor that is looked at; ours are far shorter. */
const MAX_LENGTH = 2_000;
/** Separates order values: PostgreSQL text cannot contain it. */
const SEPARATOR = '\0';

/**
 * Cursors of one list: base64url of a checksum, seeded with the list's name, and the order values of the row as
 * PostgreSQL writes them. A cursor of another list, or a damaged one, fails the checksum. Cursors are opaque but no
 * secret: they say nothing that the row's fields do not.
 */
export class CursorCodec {
  readonly #seed: number;
  readonly #length: number;

  /** `list` is unique per list, `Channel.features`; `length` is the number of order values. */
  constructor(list: string, length: number) {
    this.#seed = crc32(list);
    this.#length = length;
  }

  encode(values: readonly string[]): string {
    const text = values.length === 2 ? `${values[0]}${SEPARATOR}${values[1]}` : values.join(SEPARATOR);
    return Buffer.from(`${crc32(text, this.#seed).toString(16).padStart(8, '0')}${text}`).toString('base64url');
  }

  /** The order values, or null when the cursor is not one of this list. */
  decode(cursor: string): string[] | null {
    if (cursor.length > MAX_LENGTH || !/^[\w-]+$/.test(cursor)) return null;
    const whole = Buffer.from(cursor, 'base64url').toString('utf8');
    const text = whole.slice(8);
    if (whole.slice(0, 8) !== crc32(text, this.#seed).toString(16).padStart(8, '0')) return null;
    const values = text.split(SEPARATOR);
    return values.length === this.#length ? values : null;
  }
}
