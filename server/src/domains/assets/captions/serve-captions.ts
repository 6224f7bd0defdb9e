import { readCaptionsFile, singleSegmentPlaylist, subRipText, withSubtitles } from '../../../media/index.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { ObjectStore } from '../../../platform/storage/object-store.ts';
import type { FileGenerator, GeneratedFile } from '../delivery/generated-media.ts';
import { captionsFile, offeredCaptions } from './captions.store.ts';

const UUID = '[0-9a-f-]{36}';
const CAPTIONS = new RegExp(`^media/(${UUID})/(${UUID})/captions/(${UUID})/(index\\.m3u8|(\\d{1,9})\\.(vtt|srt))$`);
const MASTER = new RegExp(`^media/(${UUID})/${UUID}/[^/]+/master\\.m3u8$`);
const PLAYLIST_TYPE = 'application/vnd.apple.mpegurl';

/** Key, below `media/`, of captions in a format; a new version has a new address. */
export function captionsKey(
  contentId: string,
  videoAssetId: string,
  id: string,
  version: number,
  format: 'vtt' | 'srt',
): string {
  return `media/${contentId}/${videoAssetId}/captions/${id}/${version}.${format}`;
}

/**
 * Captions, their playlists, and master playlists with them. Captions are rows, so they can change without re-encoding.
 */
export const makeCaptionsFile: FileGenerator = async (tools, key) => {
  const captions = CAPTIONS.exec(key);
  if (captions) return (await makeCaptions(tools.db, captions)) ?? 'missing';
  const master = MASTER.exec(key);
  return master ? makeMaster(tools, key, master[1] ?? '') : null;
};

async function makeCaptions(
  db: Database,
  [, contentId = '', videoId = '', id = '', , version, format]: RegExpExecArray,
): Promise<GeneratedFile | null> {
  const file = await captionsFile(db, id, contentId, videoId);
  if (!file) return null;
  if (version === undefined) {
    const text = singleSegmentPlaylist(`${file.version}.vtt`, file.durationSeconds ?? 1);
    return { text, contentType: PLAYLIST_TYPE, immutable: false };
  }
  if (Number(version) !== file.version) return null;
  if (format === 'vtt') return { text: file.vtt, contentType: 'text/vtt; charset=utf-8', immutable: true };
  return {
    text: subRipText(readCaptionsFile(file.vtt, Number.POSITIVE_INFINITY)),
    contentType: 'application/x-subrip; charset=utf-8',
    immutable: true,
  };
}

async function makeMaster(
  { db, store }: { db: Database; store: ObjectStore },
  key: string,
  contentId: string,
): Promise<GeneratedFile | null> {
  const offered = await offeredCaptions(db, contentId);
  const found = offered.length > 0 ? await store.read(key) : null;
  if (!found) return null;
  const chunks: Buffer[] = [];
  for await (const chunk of found.stream) chunks.push(chunk as Buffer); // object streams carry bytes
  const added = offered.map(({ id, label, language, kind, isDefault }) => ({
    label,
    language,
    isDefault,
    describesSound: kind === 'CAPTIONS',
    uri: `../captions/${id}/index.m3u8`,
  }));
  return {
    text: withSubtitles(Buffer.concat(chunks).toString('utf8'), added),
    contentType: PLAYLIST_TYPE,
    immutable: false,
  };
}
