import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '../../../kernel/ids.ts';
import type { PackagedVideo } from '../../../media/index.ts';
import type { FoundCaptions } from './captions.store.ts';

/** BCP 47: undetermined. */
const UNKNOWN_LANGUAGE = 'und';

/** The captions of the package in `outDir`. */
export function readFoundCaptions(
  outDir: string,
  { captions }: Pick<PackagedVideo, 'captions'>,
  nowMs: number,
): Promise<FoundCaptions[]> {
  return Promise.all(
    captions.map(async ({ name, language, path, isDefault, isForced, describesSound }) => ({
      id: newId(nowMs),
      language: language ?? UNKNOWN_LANGUAGE,
      label: name,
      kind: describesSound ? ('CAPTIONS' as const) : ('SUBTITLES' as const),
      isDefault,
      isForced,
      vtt: await readFile(join(outDir, path), 'utf8'),
    })),
  );
}
