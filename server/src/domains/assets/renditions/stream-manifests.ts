import { dashOf, hlsMaster, subtitleNames } from '../../../media/index.ts';
import { type OfferedCaptions, offeredCaptions } from '../captions/captions.store.ts';
import type { FileGenerator } from '../delivery/generated-media.ts';
import { DASH_MANIFEST } from '../delivery/media-address.ts';
import { renditionsOfVideo } from './renditions.store.ts';

const UUID = '[0-9a-f-]{36}';
const MANIFEST = new RegExp(`^media/(${UUID})/(${UUID})/(master\\.m3u8|manifest\\.mpd)$`);

/**
 * The HLS master playlist and the DASH manifest of a video, at addresses that stay the same while its renditions and
 * captions change.
 */
export function streamManifests(): FileGenerator {
  return async ({ db }, key) => {
    const [, contentId, videoAssetId, name] = MANIFEST.exec(key) ?? [];
    if (contentId === undefined || videoAssetId === undefined) return null;
    const [renditions, captions] = await Promise.all([
      renditionsOfVideo(db, videoAssetId, contentId),
      offeredCaptions(db, contentId, videoAssetId),
    ]);
    if (renditions.length === 0) return 'missing';
    const tracks = describeCaptions(captions);
    if (name === DASH_MANIFEST)
      return { body: dashOf(renditions, tracks), contentType: 'application/dash+xml', immutable: false };
    const subtitles = tracks.map(({ id, ...track }) => ({ ...track, uri: `captions/${id}/index.m3u8` }));
    return { body: hlsMaster(renditions, subtitles), contentType: 'application/vnd.apple.mpegurl', immutable: false };
  };
}

/** As manifests name them: with unique names, and one default at most, which the creator's is where there is one. */
function describeCaptions(captions: readonly OfferedCaptions[]) {
  const names = subtitleNames(captions.map(({ label: title, language }) => ({ title, language })));
  const main = captions.findLast(({ isDefault }) => isDefault);
  return captions.map((each, index) => ({
    ...{ id: each.id, name: each.label, language: each.language, sizeBytes: each.sizeBytes },
    ...names[index],
    isDefault: each === main,
    isForced: false,
    describesSound: each.kind === 'CAPTIONS',
    uri: `captions/${each.id}/${each.version}.vtt`,
  }));
}
