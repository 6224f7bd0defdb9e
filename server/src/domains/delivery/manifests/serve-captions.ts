import { text } from 'node:stream/consumers';
import { singleSegmentPlaylist, withDashText, withSubtitles } from '../../../media/index.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { ObjectStore } from '../../../platform/storage/object-store.ts';
import { WeightedCache } from '../../../platform/weighted-cache.ts';
import { captionsFile, convertedCaptions, type OfferedCaptions, offeredCaptions } from '../../assets/index.ts';
import { etagOf, type FileGenerator, type GeneratedFile } from '../files/generated-media.ts';

const UUID = '[0-9a-f-]{36}';
const CAPTIONS = new RegExp(
  `^media/(${UUID})/(${UUID})/captions/(${UUID})/(index\\.m3u8|([1-9]\\d{0,8})\\.(vtt|srt))$`,
);
const MANIFEST = new RegExp(`^media/(${UUID})/${UUID}/[^/]+/(master\\.m3u8|manifest\\.mpd)$`);
const PLAYLIST_TYPE = 'application/vnd.apple.mpegurl';
const DASH_TYPE = 'application/dash+xml';
const MAX_BUILT_BYTES = 8 * 1024 * 1024;

/**
 * Captions and their playlists. Also adds captions to the manifests in packages of earlier versions, which hold those
 * that were found in the file. Captions are rows, so they can change without re-encoding. A manifest with captions is
 * built once and cached.
 */
export function createCaptionsFiles(): FileGenerator {
  const built = new WeightedCache<GeneratedFile>(MAX_BUILT_BYTES);
  return async (tools, key) => {
    const captions = CAPTIONS.exec(key);
    if (captions) return (await makeCaptions(tools.db, captions)) ?? 'missing';
    const [, contentId, name] = MANIFEST.exec(key) ?? [];
    if (contentId === undefined) return null;
    return makeManifest(tools, key, contentId, { built, ...(name === 'manifest.mpd' ? DASH : HLS) });
  };
}

async function makeCaptions(
  db: Database,
  [, contentId = '', videoId = '', id = '', , version, format]: RegExpExecArray,
): Promise<GeneratedFile | null> {
  const file = await captionsFile(db, id, contentId, videoId);
  if (!file) return null;
  if (version === undefined) {
    const body = singleSegmentPlaylist(`${file.version}.vtt`, file.durationSeconds ?? 1);
    return { body, contentType: PLAYLIST_TYPE, lifetime: 'SHORT' };
  }
  if (Number(version) !== file.version) return null;
  if (format === 'vtt') return { body: file.vtt, contentType: 'text/vtt; charset=utf-8', lifetime: 'IMMUTABLE' };
  const { text, error } = await convertedCaptions({ file: file.vtt, to: 'srt' });
  // What is stored was written by us.
  if (error !== undefined) throw new Error(`Stored captions cannot be read: line ${error.line}`);
  return {
    body: text,
    contentType: 'application/x-subrip; charset=utf-8',
    lifetime: 'IMMUTABLE',
  };
}

interface ManifestKind {
  readonly contentType: string;
  readonly add: (text: string, offered: readonly OfferedCaptions[]) => string;
}

const HLS: ManifestKind = { contentType: PLAYLIST_TYPE, add: addToMaster };
const DASH: ManifestKind = { contentType: DASH_TYPE, add: addToManifest };

async function makeManifest(
  { db, store }: { db: Database; store: ObjectStore },
  key: string,
  contentId: string,
  { contentType, add, built }: ManifestKind & { readonly built: WeightedCache<GeneratedFile> },
): Promise<GeneratedFile | null> {
  const offered = await offeredCaptions(db, contentId, null);
  if (offered.length === 0) return null;
  // The stored playlist never changes under its key.
  const version = `${key} ${JSON.stringify(offered)}`;
  const known = built.get(version);
  if (known) return known;
  const found = await store.read(key);
  if (!found) return null;
  const body = Buffer.from(add(await text(found.stream), offered));
  const file: GeneratedFile = { body, contentType, lifetime: 'SHORT', etag: etagOf(body) };
  built.set(version, file, body.length + 2 * version.length);
  return file;
}

function addToMaster(master: string, offered: readonly OfferedCaptions[]): string {
  const added = offered.map(({ id, label, language, kind, isDefault, isForced }) => ({
    ...{ label, language, isDefault, isForced },
    describesSound: kind === 'CAPTIONS',
    uri: `../captions/${id}/index.m3u8`,
  }));
  return withSubtitles(master, added);
}

function addToManifest(manifest: string, offered: readonly OfferedCaptions[]): string {
  const added = offered.map(({ id, version, label, language, kind, isDefault, isForced, sizeBytes }) => ({
    ...{ id, name: label, language, isDefault, isForced },
    describesSound: kind === 'CAPTIONS',
    sizeBytes,
    uri: `../captions/${id}/${version}.vtt`,
  }));
  return withDashText(manifest, added);
}
