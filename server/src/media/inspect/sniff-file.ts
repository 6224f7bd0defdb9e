import { open } from 'node:fs/promises';
import { SNIFF_BYTES, type SniffResult, sniff } from './sniff.ts';

/** `sniff` of the file at `path`. */
export async function sniffFile(path: string): Promise<SniffResult> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SNIFF_BYTES), 0, SNIFF_BYTES, 0);
    return sniff(buffer.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}
