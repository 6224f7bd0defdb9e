import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { UploadSource } from '../uploads/source.ts';

/**
 * A file on disk to upload. It is only open while a part of it is read. Throws what `stat` throws, and RangeError if
 * the file was truncated meanwhile.
 */
export async function openFile(path: string): Promise<UploadSource> {
  const { size: sizeBytes } = await stat(path);
  return { name: basename(path), sizeBytes, seekable: true, read: (start, end) => readPart(path, start, end) };
}

async function readPart(path: string, start: number, end: number): Promise<Uint8Array<ArrayBuffer>> {
  const file = await open(path);
  try {
    const bytes = new Uint8Array(end - start);
    for (let at = 0; at < bytes.length; ) {
      const { bytesRead } = await file.read(bytes, at, bytes.length - at, start + at);
      if (bytesRead === 0)
        throw new RangeError(`${path} ends at byte ${start + at}; it was longer when the upload started.`);
      at += bytesRead;
    }
    return bytes;
  } finally {
    await file.close();
  }
}
