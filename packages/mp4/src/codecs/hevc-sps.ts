import { BitReader, unescaped } from './bit-reader.ts';

/** NAL units of a configuration record, by type (ISO/IEC 14496-15 section 8.3.2.1). */
const SPS = 33;
/** Bytes of the record before its arrays. */
const HEAD_BYTES = 22;
/** Of a profile, and of a level (ITU-T H.265 section 7.3.3). */
const PROFILE_BITS = 88;
const LEVEL_BITS = 8;

/** Pixels that are shown, of the first sequence parameter set in a `hvcC` record; null where there is none. */
export function hevcSize(configuration: Buffer): { readonly width: number; readonly height: number } | null {
  const sps = firstSps(configuration);
  return sps && sizeIn(new BitReader(unescaped(sps.subarray(2))));
}

function firstSps(configuration: Buffer): Buffer | null {
  if (configuration.length <= HEAD_BYTES) return null;
  let at = HEAD_BYTES + 1;
  for (let arrays = configuration.readUInt8(HEAD_BYTES); arrays > 0 && at + 3 <= configuration.length; arrays -= 1) {
    const type = configuration.readUInt8(at) & 0x3f;
    let units = configuration.readUInt16BE(at + 1);
    at += 3;
    for (; units > 0 && at + 2 <= configuration.length; units -= 1) {
      const length = configuration.readUInt16BE(at);
      if (type === SPS) return configuration.subarray(at + 2, at + 2 + length);
      at += 2 + length;
    }
  }
  return null;
}

/** Of a sequence parameter set behind its NAL unit header (ITU-T H.265 section 7.3.2.2.1). */
function sizeIn(reader: BitReader): { width: number; height: number } {
  reader.bits(4);
  const subLayers = reader.bits(3);
  reader.flag();
  skipProfile(reader, subLayers);
  reader.unsigned();
  const chromaFormat = reader.unsigned();
  if (chromaFormat === 3) reader.flag();
  const [width, height] = [reader.unsigned(), reader.unsigned()];
  if (!reader.flag()) return { width, height };
  const [left, right, top, bottom] = [reader.unsigned(), reader.unsigned(), reader.unsigned(), reader.unsigned()];
  const [across, down] = [chromaFormat === 1 || chromaFormat === 2 ? 2 : 1, chromaFormat === 1 ? 2 : 1];
  return { width: width - across * (left + right), height: height - down * (top + bottom) };
}

function skipProfile(reader: BitReader, subLayers: number): void {
  skip(reader, PROFILE_BITS + LEVEL_BITS);
  const present = Array.from({ length: subLayers }, () => [reader.flag(), reader.flag()] as const);
  if (subLayers > 0) skip(reader, 2 * (8 - subLayers));
  for (const [hasProfile, hasLevel] of present)
    skip(reader, (hasProfile ? PROFILE_BITS : 0) + (hasLevel ? LEVEL_BITS : 0));
}

function skip(reader: BitReader, bits: number): void {
  for (let left = bits; left > 0; left -= 1) reader.flag();
}
