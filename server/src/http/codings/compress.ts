import { promisify } from 'node:util';
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  gzip,
  gzipSync,
  zstdCompress,
  zstdCompressSync,
} from 'node:zlib';
import type { Coding } from './content-codings.ts';

const BROTLI = constants.BROTLI_PARAM_QUALITY;
const HINT = constants.BROTLI_PARAM_SIZE_HINT;
const ZSTD = constants.ZSTD_c_compressionLevel;

/** Levels for text that is compressed for each response, chosen by `npm run bench:compression` (ADR 0086). */
const FAST = { br: 1, zstd: 1, gzip: 1 } as const;
/** Levels for files that are compressed once and kept. */
const SMALL = { br: 9, zstd: 19, gzip: 9 } as const;

const compressors = {
  br: (bytes: Buffer) => brotliCompressSync(bytes, { params: { [BROTLI]: FAST.br, [HINT]: bytes.length } }),
  zstd: (bytes: Buffer) => zstdCompressSync(bytes, { params: { [ZSTD]: FAST.zstd }, pledgedSrcSize: bytes.length }),
  gzip: (bytes: Buffer) => gzipSync(bytes, { level: FAST.gzip }),
} as const satisfies Record<Coding, (bytes: Buffer) => Buffer>;

const thoroughCompressors = {
  br: (bytes: Buffer) => promisify(brotliCompress)(bytes, { params: { [BROTLI]: SMALL.br, [HINT]: bytes.length } }),
  zstd: (bytes: Buffer) => promisify(zstdCompress)(bytes, { params: { [ZSTD]: SMALL.zstd } }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes, { level: SMALL.gzip }),
} as const satisfies Record<Coding, (bytes: Buffer) => Promise<Buffer>>;

/** Compresses at once, at the cost of about 3 microseconds of CPU per kilobyte. */
export function compressFast(coding: Coding, bytes: Buffer): Buffer {
  return compressors[coding](bytes);
}

/** Compresses as small as is reasonable, outside of the event loop; for files that are kept. */
export function compressSmall(coding: Coding, bytes: Buffer): Promise<Buffer> {
  return thoroughCompressors[coding](bytes);
}
