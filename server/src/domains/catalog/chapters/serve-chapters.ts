import { titlesText } from '../../../media/index.ts';
import type { FileGenerator } from '../../delivery/index.ts';
import { chapterSources } from './chapters.store.ts';
import { shownChapters } from './chapters.ts';

const UUID = '[0-9a-f-]{36}';
const FILE = new RegExp(`^media/(${UUID})/(${UUID})/chapters/chapters\\.vtt$`);

/** Key, below `media/`, of the chapters of a video. */
export function chaptersKey(contentId: string, videoAssetId: string): string {
  return `media/${contentId}/${videoAssetId}/chapters/chapters.vtt`;
}

/** The chapters of a video as WebVTT: one cue each, with its title. */
export const makeChaptersFile: FileGenerator = async ({ db }, key) => {
  const [, contentId, videoAssetId] = FILE.exec(key) ?? [];
  if (contentId === undefined || videoAssetId === undefined) return null;
  const sources = await chapterSources(db, contentId, videoAssetId);
  const chapters = sources ? shownChapters(sources) : [];
  const cues = chapters.flatMap(({ startMs, endMs, title }) =>
    endMs === null ? [] : [{ startMs, endMs, text: title }],
  );
  return cues.length === 0
    ? 'missing'
    : { body: titlesText(cues), contentType: 'text/vtt; charset=utf-8', lifetime: 'SHORT' };
};
