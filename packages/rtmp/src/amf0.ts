import { RtmpError } from './rtmp-error.ts';

/** A value of AMF0, the encoding of commands and metadata (Adobe, Action Message Format 0). */
export type Amf0Value = number | boolean | string | null | undefined | Date | readonly Amf0Value[] | Amf0Object;

export interface Amf0Object {
  readonly [name: string]: Amf0Value;
}

export function isAmf0Object(value: Amf0Value): value is Amf0Object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/** A text; empty for other values. */
export function textOf(value: Amf0Value): string {
  return typeof value === 'string' ? value : '';
}

/** Section 2.1 of the specification. */
const MARKER = {
  number: 0,
  boolean: 1,
  string: 2,
  object: 3,
  null: 5,
  undefined: 6,
  ecmaArray: 8,
  objectEnd: 9,
  strictArray: 10,
  date: 11,
  longString: 12,
  unsupported: 13,
  xmlDocument: 15,
  typedObject: 16,
} as const;

/** No encoder nests deeper or sends more. */
const MOST_DEPTH = 8;
const MOST_VALUES = 2_000;

/**
 * All values of a message.
 * @throws RtmpError where it ends in a value, nests deeper than eight levels, or has more than 2,000 values.
 */
export function readAmf0(bytes: Buffer): Amf0Value[] {
  const reader = new Amf0Reader(bytes);
  const values: Amf0Value[] = [];
  while (!reader.isAtEnd) values.push(reader.value(0));
  return values;
}

class Amf0Reader {
  readonly #bytes: Buffer;
  #at = 0;
  #values = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  value(depth: number): Amf0Value {
    this.#values += 1;
    if (depth > MOST_DEPTH || this.#values > MOST_VALUES) throw new RtmpError('An AMF0 message is too complex.');
    const marker = this.#take(1).readUInt8(0);
    switch (marker) {
      case MARKER.number:
        return this.#take(8).readDoubleBE(0);
      case MARKER.boolean:
        return this.#take(1).readUInt8(0) !== 0;
      case MARKER.string:
        return this.#text(2);
      case MARKER.longString:
      case MARKER.xmlDocument:
        return this.#text(4);
      case MARKER.typedObject:
        this.#text(2);
        return this.#properties(depth);
      case MARKER.ecmaArray:
        this.#take(4); // The number of its properties, which encoders get wrong.
        return this.#properties(depth);
      case MARKER.object:
        return this.#properties(depth);
      case MARKER.strictArray:
        return this.#list(depth);
      case MARKER.date: {
        const date = new Date(this.#take(8).readDoubleBE(0));
        this.#take(2); // The time zone, which is not used (section 2.13).
        return date;
      }
      case MARKER.null:
      case MARKER.unsupported:
        return null;
      case MARKER.undefined:
        return undefined;
      default:
        throw new RtmpError(`An AMF0 value has the unknown marker ${marker}.`);
    }
  }

  #list(depth: number): Amf0Value[] {
    const count = this.#take(4).readUInt32BE(0);
    const values: Amf0Value[] = [];
    for (let index = 0; index < count; index += 1) values.push(this.value(depth + 1));
    return values;
  }

  #properties(depth: number): Amf0Object {
    const properties: [string, Amf0Value][] = [];
    for (;;) {
      const name = this.#text(2);
      if (name === '' && this.#bytes[this.#at] === MARKER.objectEnd) break;
      properties.push([name, this.value(depth + 1)]);
    }
    this.#take(1);
    return Object.fromEntries(properties);
  }

  #text(lengthBytes: 2 | 4): string {
    const length = this.#take(lengthBytes).readUIntBE(0, lengthBytes);
    return this.#take(length).toString('utf8');
  }

  #take(length: number): Buffer {
    const taken = this.#bytes.subarray(this.#at, this.#at + length);
    if (taken.length < length) throw new RtmpError('An AMF0 message ends within a value.');
    this.#at += length;
    return taken;
  }
}

/** The bytes of values: numbers, booleans, texts, null, lists and objects. */
export function writeAmf0(...values: readonly Amf0Value[]): Buffer {
  return Buffer.concat(values.map(bytesOf));
}

function bytesOf(value: Amf0Value): Buffer {
  switch (typeof value) {
    case 'number': {
      const bytes = Buffer.alloc(9);
      bytes.writeDoubleBE(value, 1);
      return bytes;
    }
    case 'boolean':
      return Buffer.from([MARKER.boolean, value ? 1 : 0]);
    case 'string': {
      const text = Buffer.from(value);
      const isLong = text.length > 0xffff;
      return Buffer.concat([
        Buffer.from([isLong ? MARKER.longString : MARKER.string]),
        unsigned(text.length, isLong ? 4 : 2),
        text,
      ]);
    }
    case 'undefined':
      return Buffer.from([MARKER.undefined]);
    default:
      return value === null ? Buffer.from([MARKER.null]) : bytesOfObject(value);
  }
}

function bytesOfObject(value: Date | readonly Amf0Value[] | Amf0Object): Buffer {
  if (value instanceof Date) {
    const bytes = Buffer.alloc(11);
    bytes.writeUInt8(MARKER.date, 0);
    bytes.writeDoubleBE(value.getTime(), 1);
    return bytes;
  }
  if (isList(value))
    return Buffer.concat([Buffer.from([MARKER.strictArray]), unsigned(value.length, 4), ...value.map(bytesOf)]);
  const properties = Object.entries(value).flatMap(([name, each]) => [nameBytes(name), bytesOf(each)]);
  return Buffer.concat([Buffer.from([MARKER.object]), ...properties, Buffer.from([0, 0, MARKER.objectEnd])]);
}

/** `Array.isArray` does not narrow read-only lists. */
function isList(value: readonly Amf0Value[] | Amf0Object): value is readonly Amf0Value[] {
  return Array.isArray(value);
}

function nameBytes(name: string): Buffer {
  const text = Buffer.from(name);
  return Buffer.concat([unsigned(text.length, 2), text]);
}

function unsigned(value: number, byteLength: 2 | 4): Buffer {
  const bytes = Buffer.alloc(byteLength);
  bytes.writeUIntBE(value, 0, byteLength);
  return bytes;
}
