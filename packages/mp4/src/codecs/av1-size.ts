import { BitReader } from './bit-reader.ts';

/** Of the open bitstream units in a configuration record (AV1 specification, section 6.2.2). */
const SEQUENCE_HEADER = 1;
/** Bytes of `av1C` before them. */
const HEAD_BYTES = 4;

/** Pixels of the largest frame, of the sequence header in an `av1C` record; null where there is none. */
export function av1Size(configuration: Buffer): { readonly width: number; readonly height: number } | null {
  for (let at = HEAD_BYTES; at < configuration.length; ) {
    const header = configuration.readUInt8(at);
    const hasExtension = (header & 4) !== 0;
    const hasSize = (header & 2) !== 0;
    at += hasExtension ? 2 : 1;
    const { value, bytes } = hasSize ? leb128(configuration, at) : { value: configuration.length - at, bytes: 0 };
    at += bytes;
    if (((header >> 3) & 15) === SEQUENCE_HEADER) return sizeIn(new BitReader(configuration.subarray(at, at + value)));
    at += value;
  }
  return null;
}

/** Section 4.10.5. */
function leb128(bytes: Buffer, at: number): { value: number; bytes: number } {
  let value = 0;
  for (let index = 0; index < 8; index += 1) {
    const byte = bytes[at + index] ?? 0;
    value += (byte & 0x7f) * 2 ** (7 * index);
    if ((byte & 0x80) === 0) return { value, bytes: index + 1 };
  }
  return { value, bytes: 8 };
}

/** Of a sequence header (section 5.5.1). */
function sizeIn(reader: BitReader): { width: number; height: number } {
  reader.bits(3);
  reader.flag();
  const isReduced = reader.flag();
  if (isReduced) reader.bits(5);
  else skipOperatingPoints(reader);
  const [widthBits, heightBits] = [reader.bits(4) + 1, reader.bits(4) + 1];
  return { width: reader.bits(widthBits) + 1, height: reader.bits(heightBits) + 1 };
}

function skipOperatingPoints(reader: BitReader): void {
  const hasTiming = reader.flag();
  let delayBits = 0;
  if (hasTiming) {
    reader.bits(32);
    reader.bits(32);
    if (reader.flag()) reader.unsigned(); // as uvlc(), which has the form of an Exp-Golomb code
    if (reader.flag()) {
      delayBits = reader.bits(5) + 1;
      reader.bits(32);
      reader.bits(10);
    }
  }
  const hasDelays = reader.flag();
  for (let points = reader.bits(5) + 1; points > 0; points -= 1) {
    reader.bits(12);
    if (reader.bits(5) > 7) reader.flag();
    if (delayBits > 0 && reader.flag()) {
      reader.bits(delayBits);
      reader.bits(delayBits);
      reader.flag();
    }
    if (hasDelays && reader.flag()) reader.bits(4);
  }
}
