import { open } from 'node:fs/promises';
import { findMpegAudio } from './find-mpeg-audio.ts';
import { media, SNIFF_BYTES, type SniffResult, sniff } from './sniff.ts';

/** MPEG audio is looked for so far behind something else. */
const SEARCHED_BYTES = 1024 ** 2;

/** `sniff` of the file at `path`; MPEG audio is also found behind something else, as players do. */
export async function sniffFile(path: string): Promise<SniffResult> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SNIFF_BYTES), 0, SNIFF_BYTES, 0);
    const sniffed = sniff(buffer.subarray(0, bytesRead));
    if (sniffed.ok || (sniffed.reason !== 'text' && sniffed.reason !== 'unknown')) return sniffed;
    const searched = await file.read(Buffer.alloc(SEARCHED_BYTES), 0, SEARCHED_BYTES, 0);
    return findMpegAudio(searched.buffer.subarray(0, searched.bytesRead)) === null ? sniffed : media('mp3');
  } finally {
    await file.close();
  }
}
