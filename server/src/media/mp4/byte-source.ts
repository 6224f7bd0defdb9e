import type { FileHandle } from 'node:fs/promises';

/** Bytes at random positions: a file, an object of a store, or a buffer. */
export interface ByteSource {
  readonly sizeBytes: number;
  /** Up to `length` bytes from `position`; fewer only at the end. */
  read(position: number, length: number): Promise<Buffer>;
}

/** An open file as a source. The caller closes it. */
export async function fileSource(file: FileHandle): Promise<ByteSource> {
  const { size } = await file.stat();
  return {
    sizeBytes: size,
    async read(position, length) {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.max(0, length)), 0, length, position);
      return buffer.subarray(0, bytesRead);
    },
  };
}

export function bufferSource(bytes: Buffer): ByteSource {
  return { sizeBytes: bytes.length, read: async (position, length) => bytes.subarray(position, position + length) };
}
