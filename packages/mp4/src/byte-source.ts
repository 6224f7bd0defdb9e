/** Bytes at random positions: a file, an object of a store, or a buffer. */
export interface ByteSource {
  readonly sizeBytes: number;
  /** Up to `length` bytes from `position`; fewer only at the end. */
  read(position: number, length: number): Promise<Buffer>;
}

export function bufferSource(bytes: Buffer): ByteSource {
  return { sizeBytes: bytes.length, read: async (position, length) => bytes.subarray(position, position + length) };
}
