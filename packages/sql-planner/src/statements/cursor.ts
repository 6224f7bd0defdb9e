/** Maximum length of an accepted cursor; ours are far shorter. */
const MAX_LENGTH = 2_000;
/** Separates order values: PostgreSQL text cannot contain it. */
const SEPARATOR = '\0';
/** Characters of the checksum in front of the values. */
const CHECK = 7;

/** Bytes of the cursor being written; encoding is synchronous, and this is the hottest loop of a list. */
let scratch = Buffer.allocUnsafe(1_024);

/**
 * Cursors of one list: base64url of a checksum, seeded with the list's name, and the order values of the row as
 * PostgreSQL writes them. A cursor of another list, or a damaged one, fails the checksum. Cursors are opaque but not
 * secret: they contain only what the row's fields show.
 */
export class CursorCodec {
  readonly #seed: number;
  readonly #length: number;

  /** `list` is unique per list, `Channel.features`; `length` is the number of order values. */
  constructor(list: string, length: number) {
    this.#seed = checksum(list, 0x811c9dc5);
    this.#length = length;
  }

  encode(values: readonly string[]): string {
    const text = values.length === 2 ? `${values[0]}${SEPARATOR}${values[1]}` : values.join(SEPARATOR);
    const whole = prefix(checksum(text, this.#seed)) + text;
    if (whole.length * 3 > scratch.length) scratch = Buffer.allocUnsafe(whole.length * 3);
    return scratch.toString('base64url', 0, scratch.write(whole, 0, 'utf8'));
  }

  /** The order values, or null if the cursor is not one of this list. */
  decode(cursor: string): string[] | null {
    if (cursor.length > MAX_LENGTH || !/^[\w-]+$/.test(cursor)) return null;
    const whole = Buffer.from(cursor, 'base64url').toString('utf8');
    const text = whole.slice(CHECK);
    if (whole.slice(0, CHECK) !== prefix(checksum(text, this.#seed))) return null;
    const values = text.split(SEPARATOR);
    return values.length === this.#length ? values : null;
  }
}

/** FNV-1a over UTF-16 units, 32 bits: cheaper than a native call. */
function checksum(text: string, seed: number): number {
  let hash = seed;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

function prefix(sum: number): string {
  return sum.toString(36).padStart(CHECK, '0');
}
