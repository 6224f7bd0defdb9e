import type { CopiedSound } from '../../../media/index.ts';
import { ByteCache, COPIED_SOUND_NAME } from '../../assets/index.ts';
import { copiedSoundOf, soundState, wantSound } from '../../transcode/index.ts';
import type { FileGenerator, GeneratedFile } from '../files/generated-media.ts';
import { LONGEST_WAIT_MS, tryAgain, waitFor } from './on-demand-segments.ts';

const UUID = '[0-9a-f-]{36}';
const FILE = new RegExp(`^(media/(${UUID})/(${UUID})/${COPIED_SOUND_NAME}/[a-z]+/)seg-(\\d{5})\\.m4s$`);
/** An hour takes 20 KiB. */
const MAX_DESCRIPTIONS_BYTES = 16 * 1024 ** 2;
/** Requests that wait at a time. */
const MAX_WAITING = 500;

/**
 * Requests the encoding of segments of sound that viewers request beside copied pictures, and waits for them. Requests
 * for the same segment share one.
 */
export function soundSegments(): FileGenerator {
  const waiting = new Map<string, Promise<GeneratedFile | 'missing' | null>>();
  const descriptions = new ByteCache<CopiedSound | null>(MAX_DESCRIPTIONS_BYTES);
  return async ({ db, store }, key) => {
    const [, folder = '', contentId = '', videoAssetId = '', digits] = FILE.exec(key) ?? [];
    // What was encoded for a viewer is sent from the store.
    if (digits === undefined || (await store.head(key))) return null;
    const known = waiting.get(key);
    if (known) return known;
    if (waiting.size >= MAX_WAITING) throw tryAgain();
    const number = Number(digits);
    const provide = async () => {
      const sound = await descriptions.get(folder, async () => {
        const value = await copiedSoundOf(store, { contentId, videoAssetId });
        const { starts, entry } = value?.source ?? { starts: [], entry: '' };
        return { value, bytes: 64 * (1 + starts.length) + entry.length };
      });
      // Without a playlist it is not played any more.
      if (!sound || number >= sound.source.starts.length || !(await store.head(`${folder}index.m3u8`)))
        return 'missing';
      const wanted = await wantSound(db, videoAssetId, number);
      const state = await waitFor(wanted, () => soundState(db, videoAssetId, number), LONGEST_WAIT_MS);
      if (state === 'wanted') throw tryAgain();
      return state === 'encoded' ? null : 'missing';
    };
    const found = provide().finally(() => waiting.delete(key));
    waiting.set(key, found);
    return found;
  };
}
