import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const SHARED = fileURLToPath(new URL('../../../../shared/speech/', import.meta.url));

/** A model of whisper.cpp without weights: it is loaded and run, and recognizes nothing. */
export const TEST_MODEL = `${SHARED}for-tests-ggml-tiny.bin`;
/** Somebody who speaks for 11 s, with pauses. */
export const TEST_VOICE = `${SHARED}jfk.mp3`;
/** Why tests with them are skipped. */
export const noModel = existsSync(TEST_MODEL) ? false : '../shared/speech is not present';

/** The beginning of a model with this many tokens. */
export function modelHeader(vocabulary: number): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt32LE(0x67_67_6d_6c, 0);
  header.writeUInt32LE(vocabulary, 4);
  return header;
}
