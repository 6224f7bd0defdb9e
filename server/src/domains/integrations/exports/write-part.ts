import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { ExportPosition, ExportStep } from '../../../gql/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import { addPart } from './data-exports.store.ts';

/** Of parts; `npm run bench:export` compares levels. */
export const GZIP_LEVEL = 3;
const compress = promisify(gzip);

/** An export that one worker writes. */
export interface WrittenExport {
  readonly id: string;
  /** Fences off earlier workers. */
  readonly attempt: number;
}

/** Lines that are not stored yet. */
export class PartBuffer {
  #texts: string[] = [];
  bytes = 0;
  lines = 0;

  add({ text, lines }: Pick<ExportStep, 'text' | 'lines'>): void {
    this.#texts.push(text);
    this.bytes += Buffer.byteLength(text);
    this.lines += lines;
  }

  /** All lines, which are removed. */
  take(): { bytes: Buffer; lines: number } {
    const taken = { bytes: Buffer.from(this.#texts.join('')), lines: this.lines };
    this.#texts = [];
    this.bytes = 0;
    this.lines = 0;
    return taken;
  }
}

/**
 * Stores lines as one object and then, in one statement, the part and the position behind it: whoever continues there
 * misses and repeats nothing. The key is new each time, so a worker that was thought to be lost overwrites nothing.
 * False when the export has ended or another worker has it.
 */
export async function writePart(
  { db, store }: Pick<Platform, 'db' | 'store'>,
  { id, attempt }: WrittenExport,
  number: number,
  { bytes, lines }: { readonly bytes: Buffer; readonly lines: number },
  position: ExportPosition,
): Promise<boolean> {
  const packed = await compress(bytes, { level: GZIP_LEVEL });
  const objectKey = `exports/${id}/${number}-${randomBytes(6).toString('hex')}.jsonl.gz`;
  await store.put(objectKey, packed, { contentType: 'application/gzip' });
  const part = { number, objectKey, lines, sizeBytes: bytes.length, storedBytes: packed.length };
  return addPart(db, id, attempt, part, position);
}
