import type { FileHandle } from 'node:fs/promises';
import type { Container } from './sniff.ts';

/** A file at random positions. */
interface Source {
  readonly sizeBytes: number;
  /** Up to `length` bytes from `position`; fewer only at the end. */
  read(position: number, length: number): Promise<Buffer>;
}

/**
 * Whether a file ends before what its container says: an upload, a download or a recording that broke off. What its
 * headers say of its length is that of the whole file then. Containers without a length of their own (transport and
 * program streams, Ogg, raw streams) have what they have, and are never cut off.
 */
export async function isFileCutOff(file: FileHandle, container: Container): Promise<boolean> {
  const { size: sizeBytes } = await file.stat();
  const source: Source = {
    sizeBytes,
    async read(position, length) {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
      return buffer.subarray(0, bytesRead);
    },
  };
  const end = await ENDS[container]?.(source);
  return end !== undefined && end !== null && end > sizeBytes;
}

/** Where the file ends that a container describes, as far as it says. */
const ENDS: Partial<Record<Container, (source: Source) => Promise<number | null>>> = {
  mov: endOfMov,
  matroska: endOfMatroska,
  avi: endOfRiff,
  wav: endOfRiff,
  aiff: endOfAiff,
  flv: endOfFlv,
  asf: endOfAsf,
  mxf: endOfMxf,
};

/** More boxes at the top of a file than this are an attack. */
const MAX_BOXES = 10_000;
/** Of a movie box, its sample tables included. */
const MAX_MOVIE_BYTES = 128 * 1024 ** 2;

/** The end of the last box (ISO/IEC 14496-12 section 4.2), or of the chunks of samples (section 8.7.5). */
async function endOfMov(source: Source): Promise<number | null> {
  let end = 0;
  for (let boxes = 0; boxes < MAX_BOXES && end + 8 <= source.sizeBytes; boxes += 1) {
    const head = await source.read(end, 16);
    const size = head.readUInt32BE(0);
    const length = size === 1 && head.length === 16 ? Number(head.readBigUInt64BE(8)) : size;
    // To the end of the file.
    if (length === 0) break;
    const type = head.toString('latin1', 4, 8);
    if (length < 8 || !/^[\w ]{4}$/.test(type)) return null;
    if (type === 'moov' && length <= MAX_MOVIE_BYTES && end + length <= source.sizeBytes) {
      const last = lastChunk(await source.read(end, length));
      if (last > source.sizeBytes) return last;
    }
    end += length;
  }
  return end;
}

/** The position of the last chunk that a movie box names. */
function lastChunk(movie: Buffer): number {
  let last = 0;
  for (const [type, bytes] of [
    ['stco', 4],
    ['co64', 8],
  ] as const) {
    for (let at = movie.indexOf(type, 0, 'latin1'); at >= 4; at = movie.indexOf(type, at + 4, 'latin1')) {
      const count = at + 12 <= movie.length ? movie.readUInt32BE(at + 8) : 0;
      const end = at + 12 + bytes * count;
      // A table is as long as its box says.
      if (count === 0 || end > movie.length || movie.readUInt32BE(at - 4) < 16 + bytes * count) continue;
      const position = bytes === 4 ? movie.readUInt32BE(end - 4) : Number(movie.readBigUInt64BE(end - 8));
      last = Math.max(last, position + 1);
    }
  }
  return last;
}

const EBML = 0x1a45dfa3;
const SEGMENT = 0x18538067;

/** RFC 8794 sections 4 and 6, RFC 9559 section 5.1: the header, then the segment, whose size may be unknown. */
async function endOfMatroska(source: Source): Promise<number | null> {
  const head = await source.read(0, 4096);
  const header = elementAt(head, 0);
  if (header?.id !== EBML || header.end === null) return null;
  const segment = elementAt(head, header.end);
  return segment?.id === SEGMENT ? segment.end : null;
}

/** An element with an id of four bytes; `end` is null where its size is unknown. */
function elementAt(bytes: Buffer, at: number): { id: number; end: number | null } | null {
  if (at + 12 > bytes.length) return null;
  const first = bytes[at + 4] ?? 0;
  const length = Math.clz32(first) - 23;
  if (length > 8) return null;
  let size = first & (0xff >> length);
  let isUnknown = size === 0xff >> length;
  for (let byte = 1; byte < length; byte += 1) {
    const value = bytes[at + 4 + byte] ?? 0;
    size = size * 256 + value;
    isUnknown &&= value === 0xff;
  }
  return { id: bytes.readUInt32BE(at), end: isUnknown ? null : at + 4 + length + size };
}

/** The size after the first four letters; recorders that were stopped leave it at 0 or at its maximum. */
async function endOfRiff(source: Source): Promise<number | null> {
  const head = await source.read(0, 8);
  const size = head.length < 8 ? 0 : head.readUInt32LE(4);
  return size === 0 || size === 0xffff_ffff ? null : 8 + size;
}

async function endOfAiff(source: Source): Promise<number | null> {
  const head = await source.read(0, 8);
  return head.length < 8 ? null : 8 + head.readUInt32BE(4);
}

/** Of a tag before its data (Adobe FLV 10.1, annex E.4.1), and the size that follows it. */
const FLV_TAG_BYTES = 11;
const FLV_SIZE_BYTES = 4;

/** The size after the last tag leads to its head; otherwise the file ends within a tag. */
async function endOfFlv(source: Source): Promise<number | null> {
  const size = (await source.read(source.sizeBytes - FLV_SIZE_BYTES, FLV_SIZE_BYTES)).readUInt32BE(0);
  const start = source.sizeBytes - FLV_SIZE_BYTES - size;
  const head = start < 0 || size < FLV_TAG_BYTES ? null : await source.read(start, 4);
  const isTag = head !== null && [8, 9, 18].includes((head[0] ?? 0) & 0x1f);
  return isTag && head.readUIntBE(1, 3) + FLV_TAG_BYTES === size ? source.sizeBytes : source.sizeBytes + 1;
}

/** File Properties Object (ASF 1.20.05 section 3.2), whose size of the file is 0 in a broadcast. */
const ASF_FILE_PROPERTIES = Buffer.from('a1dcab8c47a9cf118ee400c00c205365', 'hex');

async function endOfAsf(source: Source): Promise<number | null> {
  const head = await source.read(0, 64 * 1024);
  const at = head.indexOf(ASF_FILE_PROPERTIES);
  if (at < 0 || at + 48 > head.length) return null;
  const size = Number(head.readBigUInt64LE(at + 40));
  return size === 0 ? null : size;
}

/** Where the footer partition of a complete file begins (SMPTE ST 377-1 section 7.1); 0 where that is not known. */
async function endOfMxf(source: Source): Promise<number | null> {
  const head = await source.read(0, 64);
  const first = head[16] ?? 0;
  const content = 17 + (first > 0x80 ? first - 0x80 : 0);
  if (content + 32 > head.length) return null;
  const footer = Number(head.readBigUInt64BE(content + 24));
  return footer === 0 ? null : footer + 1;
}
