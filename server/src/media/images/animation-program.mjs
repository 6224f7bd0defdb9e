// @ts-check
/**
 * Converts an animated WebP, which ffmpeg does not decode, to an animated PNG, which it does: lossless, each frame
 * complete and as long as before. Runs in the sandbox, as decoder-program.mjs does, on the file `argv[2]`, and writes
 * `argv[3]`.
 */
import { openSync, writeSync } from 'node:fs';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

const [, , source = '', target = ''] = process.argv;
/**
 * Frames are decoded in batches, before each of which libvips decodes all earlier frames again. It keeps more than 100
 * MiB in a file, for which the sandbox has no place, unless it is a single frame.
 */
const BATCH_BYTES = 96 * 1024 ** 2;
const MAX_FRAME_PIXELS = 8192 ** 2;
const CHANNELS = 4;
/** As in animation-times.ts. */
const SHORTEST_DELAY_MS = 11;
const CORRECTED_DELAY_MS = 100;

sharp.cache(false);
sharp.concurrency(1);
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadWebp'] });

const options = /** @type {const} */ ({
  failOn: 'error',
  limitInputPixels: MAX_FRAME_PIXELS,
  sequentialRead: true,
});
const {
  width,
  pageHeight,
  pages = 1,
  delay = [],
} = await sharp(source, { ...options, pages: 1 })
  .metadata()
  .then((first) => ({ ...first, pageHeight: first.pageHeight ?? first.height }));
const output = openSync(target, 'w');
let sequence = 0;

writeSync(output, Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'));
// Eight bits of red, green, blue and alpha.
writeChunk('IHDR', uint32(width), uint32(pageHeight), Buffer.from([8, 6, 0, 0, 0]));
writeChunk('acTL', uint32(pages), uint32(1));
const batch = Math.max(1, Math.floor(BATCH_BYTES / (width * pageHeight * CHANNELS)));
for (let first = 0; first < pages; first += batch) await convertFrames(first, Math.min(batch, pages - first));
writeChunk('IEND');

/**
 * @param {number} first
 * @param {number} count
 */
async function convertFrames(first, count) {
  const frameBytes = width * pageHeight * CHANNELS;
  const pixels = await sharp(source, { ...options, page: first, pages: count })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer();
  if (pixels.length !== count * frameBytes) throw new Error(`${pixels.length} bytes of ${count} frames`);
  for (let index = 0; index < count; index += 1)
    writeFrame(first + index, pixels.subarray(index * frameBytes, (index + 1) * frameBytes));
}

/**
 * The first frame is also the still image of the file; the others are numbered (PNG, third edition, section 11.3.6).
 * @param {number} number
 * @param {Buffer} pixels
 */
function writeFrame(number, pixels) {
  const asked = delay[number] ?? 0;
  const delayMs = asked < SHORTEST_DELAY_MS ? CORRECTED_DELAY_MS : asked;
  // A delay is a fraction of two bytes each: the finest that can express it.
  const perSecond = [1000, 100, 10, 1].find((parts) => (delayMs * parts) / 1000 <= 0xffff) ?? 1;
  const time = Buffer.alloc(6);
  time.writeUInt16BE(Math.min(0xffff, Math.round((delayMs * perSecond) / 1000)), 0);
  time.writeUInt16BE(perSecond, 2);
  writeChunk('fcTL', uint32(sequence++), uint32(width), uint32(pageHeight), uint32(0), uint32(0), time);
  const compressed = deflateSync(unfiltered(pixels), { level: 1 });
  if (number === 0) writeChunk('IDAT', compressed);
  else writeChunk('fdAT', uint32(sequence++), compressed);
}

/**
 * Each row begins with its filter: none.
 * @param {Buffer} pixels
 */
function unfiltered(pixels) {
  const rowBytes = width * CHANNELS;
  const rows = Buffer.alloc(pageHeight * (1 + rowBytes));
  for (let row = 0; row < pageHeight; row += 1)
    pixels.copy(rows, row * (1 + rowBytes) + 1, row * rowBytes, (row + 1) * rowBytes);
  return rows;
}

/**
 * @param {string} type
 * @param {...Buffer} parts
 */
function writeChunk(type, ...parts) {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), ...parts]);
  const bytes = Buffer.concat([uint32(content.length - 4), content, uint32(crc32(content))]);
  for (let at = 0; at < bytes.length; ) at += writeSync(output, bytes, at);
}

/** @param {number} value */
function uint32(value) {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
