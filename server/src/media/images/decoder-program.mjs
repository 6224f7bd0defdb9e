// @ts-check
/**
 * Decodes one image, writes the output files, and exits. It runs in the sandbox and communicates over standard input
 * and output (image-process.ts). Nothing but this and animation-program.mjs loads libvips. Plain JavaScript, so that V8
 * can run without its compilers (`--jitless`), which stripping types needs.
 */
import { readSync, writeSync } from 'node:fs';
import sharp from 'sharp';

/** Kinds of frames: one byte, then the length of what follows in four (big endian). The other end is frames.ts. */
const FRAME = { READY: 1, FACTS: 2, OUTPUT: 3, FAILURE: 4 };
const HEADER_BYTES = 5;
const LOADERS = {
  jpeg: 'VipsForeignLoadJpeg',
  png: 'VipsForeignLoadPng',
  webp: 'VipsForeignLoadWebp',
  avif: 'VipsForeignLoadHeif',
  gif: 'VipsForeignLoadNsgif',
};

// One image uses one core, without a cache; all loaders are blocked except the one for the image's format.
sharp.cache(false);
sharp.concurrency(1);
sharp.block({ operation: ['VipsForeignLoad'] });
send(FRAME.READY, Buffer.alloc(0));
try {
  await convert();
} catch (error) {
  send(FRAME.FAILURE, Buffer.from(String(error instanceof Error ? error.message : error).slice(0, 200)));
}

async function convert() {
  /**
   * @type {{ format: keyof typeof LOADERS, isUpright: boolean, sizeBytes: number, maxPixels: number,
   *   timeoutSeconds: number }}
   */
  const { format, isUpright, sizeBytes, maxPixels, timeoutSeconds } = receiveMessage();
  sharp.unblock({ operation: [LOADERS[format]] });
  const input = receive(sizeBytes);
  const options = { limitInputPixels: maxPixels };
  const metadata = await sharp(input, options).metadata();
  const shown = isUpright ? metadata : metadata.autoOrient;
  const facts = Buffer.alloc(9);
  facts.writeUInt32BE(shown.width, 0);
  facts.writeUInt32BE(shown.height, 4);
  facts.writeUInt8(metadata.hasAlpha ? 1 : 0, 8);
  send(FRAME.FACTS, facts);

  /** @type {{ width: number, height: number, outputs: { format: string, width: number, height: number }[] }} */
  const { width, height, outputs } = receiveMessage();
  const source = sharp(input, { ...options, failOn: 'error', sequentialRead: true });
  if (!isUpright) source.autoOrient();
  const { data, info } = await source
    .timeout({ seconds: timeoutSeconds })
    .resize(width, height, { fit: 'fill' })
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  for (const output of outputs) {
    const sized = sharp(data, { raw: { width, height, channels: info.channels }, ...options }).timeout({
      seconds: timeoutSeconds,
    });
    if (output.width !== width || output.height !== height) sized.resize(output.width, output.height, { fit: 'fill' });
    send(FRAME.OUTPUT, await encode(sized, output.format));
  }
}

/**
 * @param {import('sharp').Sharp} image
 * @param {string} format
 */
async function encode(image, format) {
  if (format === 'AVIF') return image.avif({ quality: 55, effort: 2 }).toBuffer();
  if (format === 'WEBP') return image.webp({ quality: 80 }).toBuffer();
  if (format === 'PNG') return image.png({ compressionLevel: 9 }).toBuffer();
  const opaque = image.flatten({ background: '#ffffff' });
  if (format === 'JPEG') return opaque.jpeg({ quality: 82, mozjpeg: true }).toBuffer();
  const { data, info } = await opaque.toColourspace('srgb').removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return info.channels === 3 ? data : Buffer.from(Array.from(data, (grey) => [grey, grey, grey]).flat());
}

/** A length in four bytes, then JSON. */
function receiveMessage() {
  return JSON.parse(receive(receive(4).readUInt32BE(0)).toString());
}

/**
 * Waits for this many bytes. Exits at the end of input.
 * @param {number} length
 */
function receive(length) {
  const bytes = Buffer.allocUnsafeSlow(length);
  for (let at = 0; at < length; ) {
    const count = readSync(0, bytes, at, length - at, null);
    if (count === 0) process.exit(0);
    at += count;
  }
  return bytes;
}

/**
 * @param {number} kind
 * @param {Buffer} payload
 */
function send(kind, payload) {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt8(kind, 0);
  header.writeUInt32BE(payload.length, 1);
  for (const bytes of [header, payload]) for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at);
}
