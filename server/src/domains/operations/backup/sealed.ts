import { createHash } from 'node:crypto';
import { DamagedBackupError } from './backup-error.ts';

/** A sealed file ends with the SHA-256 of all bytes before. */
export const SEAL_BYTES = 32;

/** The bytes and their seal; `sealed` gets the SHA-256 in hexadecimal digits and the number of bytes before it. */
export async function* seal(
  chunks: AsyncIterable<Buffer>,
  sealed: (sha256: string, sizeBytes: number) => void,
): AsyncIterable<Buffer> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  for await (const chunk of chunks) {
    hash.update(chunk);
    sizeBytes += chunk.length;
    yield chunk;
  }
  const digest = hash.digest();
  sealed(digest.toString('hex'), sizeBytes);
  yield digest;
}

/**
 * The bytes without their seal.
 * @throws DamagedBackupError after the last one where they have another SHA-256 than the seal or `expected`.
 */
export async function* unseal(chunks: AsyncIterable<Buffer>, path: string, expected: string): AsyncIterable<Buffer> {
  const hash = createHash('sha256');
  let held = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    const end = Math.max(0, bytes.length - SEAL_BYTES);
    held = Buffer.from(bytes.subarray(end));
    if (end === 0) continue;
    hash.update(bytes.subarray(0, end));
    yield bytes.subarray(0, end);
  }
  const digest = hash.digest('hex');
  if (digest !== expected || digest !== held.toString('hex'))
    throw new DamagedBackupError(`${path} does not have the bytes that were written.`);
}
