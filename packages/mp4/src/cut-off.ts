import { Mp4Error, topLevelBoxes } from './boxes.ts';
import type { ByteSource } from './byte-source.ts';

/** Whether a file of boxes (MP4, a segment) ends in the middle of one, or is empty. Reads their heads only. */
export async function isCutOff(source: ByteSource): Promise<boolean> {
  let end = 0;
  try {
    for await (const box of topLevelBoxes(source)) end = box.end;
  } catch (error) {
    if (error instanceof Mp4Error) return true;
    throw error;
  }
  return end === 0 || end !== source.sizeBytes;
}
