import { createHash } from 'node:crypto';
import { open, readFile, rm, writeFile } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { type ByteSink, FILE_MODE } from './disk-files.ts';
import type { ByteRange, StoredChecksum } from './object-store.ts';
import { diskError, isMissing } from './storage-errors.ts';

/** What is read of a file at once. */
const CHUNK_BYTES = 1024 * 1024;

/** The CRC-32 (ISO 3309, as in ZIP) of the bytes that it gets. */
export class Checksum implements ByteSink {
  #value: number;

  /** Continues with the checksum of the bytes before. */
  constructor(value = 0) {
    this.#value = value;
  }

  get value(): number {
    return this.#value;
  }

  add(bytes: Uint8Array): void {
    this.#value = crc32(bytes, this.#value);
  }
}

/** Compares the bytes that it gets with a checksum. */
export interface ByteComparison extends ByteSink {
  /** Once it got all bytes. */
  isSame(): boolean;
}

export function comparisonWith(stored: StoredChecksum): ByteComparison {
  if ('md5' in stored) return compareMd5(stored);
  const sum = new Checksum();
  return { add: (bytes) => sum.add(bytes), isSame: () => sum.value === stored.crc32 };
}

function compareMd5({ md5, partBytes }: Extract<StoredChecksum, { md5: string }>): ByteComparison {
  const parts: Buffer[] = [];
  let part = createHash('md5');
  let length = 0;
  const endPart = () => {
    parts.push(part.digest());
    [part, length] = [createHash('md5'), 0];
  };
  return {
    add(bytes) {
      for (let at = 0; at < bytes.length; ) {
        const taken = bytes.subarray(at, at + (partBytes ?? Number.POSITIVE_INFINITY) - length);
        part.update(taken);
        [at, length] = [at + taken.length, length + taken.length];
        if (length === partBytes) endPart();
      }
    },
    isSame() {
      if (partBytes === null) return part.digest('hex') === md5;
      if (length > 0) endPart();
      return createHash('md5').update(Buffer.concat(parts)).digest('hex') === md5;
    },
  };
}

/** The checksum of a local file, or of a part of it after bytes whose checksum is `before`. */
export async function checksumOfFile(
  path: string,
  { start, end }: ByteRange = { start: 0, end: Number.POSITIVE_INFINITY },
  before = 0,
): Promise<number> {
  const sum = new Checksum(before);
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  const file = await open(path, 'r');
  try {
    for (let at = start; at <= end; ) {
      const { bytesRead } = await file.read(buffer, 0, Math.min(CHUNK_BYTES, end + 1 - at), at);
      if (bytesRead === 0) break;
      sum.add(buffer.subarray(0, bytesRead));
      at += bytesRead;
    }
  } finally {
    await file.close();
  }
  return sum.value;
}

/** Checksum of the first `sizeBytes` bytes of a file. */
interface FileChecksum {
  readonly crc32: number;
  readonly sizeBytes: number;
}

/** `<name>,crc` beside a file holds its checksum; no key contains a comma. */
const SUFFIX = ',crc';

function checksumPathOf(path: string): string {
  return path + SUFFIX;
}

/** What is stored beside a file; null without. It is not flushed: after a power cut it may be missing or torn. */
export async function readChecksum(path: string): Promise<FileChecksum | null> {
  const text = await readFile(checksumPathOf(path), 'latin1').catch((error: unknown) => {
    if (isMissing(error)) return '';
    throw diskError(error);
  });
  const [, hex, size] = /^([0-9a-f]{8}) (\d+)\n$/.exec(text) ?? [];
  return hex === undefined ? null : { crc32: Number.parseInt(hex, 16), sizeBytes: Number(size) };
}

/** Stores it beside the file. The file is kept without where that fails: it cannot be compared then. */
export async function writeChecksum(path: string, { crc32: sum, sizeBytes }: FileChecksum): Promise<void> {
  const text = `${sum.toString(16).padStart(8, '0')} ${sizeBytes}\n`;
  await writeFile(checksumPathOf(path), text, { mode: FILE_MODE }).catch(() => forgetChecksum(path));
}

export async function forgetChecksum(path: string): Promise<void> {
  await rm(checksumPathOf(path), { force: true });
}
