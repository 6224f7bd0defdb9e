import { dashOf, hlsMaster, isVideo, preferEnhanced, type Rendition, subtitleNames } from '../../../media/index.ts';
import { WeightedCache } from '../../../platform/weighted-cache.ts';
import {
  DASH_MANIFEST,
  type OfferedCaptions,
  type OfferedRenditions,
  offeredCaptions,
  offeredRenditions,
  readRenditions,
} from '../../assets/index.ts';
import { etagOf, type FileGenerator, type GeneratedFile } from '../files/generated-media.ts';

const UUID = '[0-9a-f-]{36}';
const MANIFEST = new RegExp(`^media/(${UUID})/(${UUID})/(master\\.m3u8|manifest\\.mpd)$`);
const MAX_BUILT_BYTES = 8 * 1024 * 1024;

/**
 * The HLS master playlist and the DASH manifest of a video, at addresses that stay the same while its renditions and
 * captions change. Each text is built once and cached.
 */
export function streamManifests(): FileGenerator {
  const built = new WeightedCache<GeneratedFile>(MAX_BUILT_BYTES);
  return async ({ db }, key, { isForElement }) => {
    const [, contentId, videoAssetId, name] = MANIFEST.exec(key) ?? [];
    if (contentId === undefined || videoAssetId === undefined) return null;
    const isDash = name === DASH_MANIFEST;
    const [offered, captions] = await Promise.all([
      offeredRenditions(db, videoAssetId, contentId, isDash),
      offeredCaptions(db, contentId, videoAssetId),
    ]);
    if (offered === null) return 'missing';
    if (isDash && !renditionsIn(offered).every(({ durations }) => durations.length > 0)) return 'missing';
    const only = isForElement ? 'H.264' : 'all codecs';
    const version = `${name} ${only} ${offered.prefersEnhanced} ${offered.text} ${JSON.stringify(captions)}`;
    const known = built.get(version);
    if (known) return known;
    const file = isDash ? dashFile(offered, captions) : hlsFile(offered, captions, isForElement);
    built.set(version, file, file.body.length + 2 * version.length);
    return file;
  };
}

/** Chromium's own player ends with an error where the codec changes: it gets H.264 only. */
function hlsFile(
  offered: OfferedRenditions,
  captions: readonly OfferedCaptions[],
  isForElement: boolean,
): GeneratedFile {
  const subtitles = describeCaptions(captions).map((track) => ({ ...track, uri: `captions/${track.id}/index.m3u8` }));
  const all = renditionsIn(offered);
  const h264 = all.filter((each) => !isVideo(each) || each.codecs.startsWith('avc1'));
  const file = fileOf(hlsMaster(isForElement ? h264 : all, subtitles), 'application/vnd.apple.mpegurl');
  return h264.length < all.length ? { ...file, vary: 'Sec-Fetch-Dest' } : file;
}

function dashFile(offered: OfferedRenditions, captions: readonly OfferedCaptions[]): GeneratedFile {
  const tracks = describeCaptions(captions).map((track, index) => {
    return { ...track, uri: `captions/${track.id}/${captions[index]?.version}.vtt` };
  });
  return fileOf(dashOf(renditionsIn(offered), tracks), 'application/dash+xml');
}

function renditionsIn({ text, prefersEnhanced }: OfferedRenditions): Rendition[] {
  const renditions = readRenditions(text);
  return prefersEnhanced ? preferEnhanced(renditions) : renditions;
}

function fileOf(text: string, contentType: string): GeneratedFile {
  const body = Buffer.from(text);
  return { body, contentType, lifetime: 'CHANGING', etag: etagOf(body) };
}

/** As manifests name them: with unique names, and one default at most, which the creator's is where there is one. */
function describeCaptions(captions: readonly OfferedCaptions[]) {
  const names = subtitleNames(captions.map(({ label: title, language }) => ({ title, language })));
  const main = captions.findLast(({ isDefault }) => isDefault);
  return captions.map((each, index) => {
    const { id, label, language, kind, isForced, sizeBytes } = each;
    const flags = { isDefault: each === main, isForced, describesSound: kind === 'CAPTIONS' };
    return { id, sizeBytes, ...flags, ...(names[index] ?? { name: label, language }) };
  });
}
