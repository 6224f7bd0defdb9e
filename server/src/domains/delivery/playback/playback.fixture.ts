import { createPrivateKey, sign } from 'node:crypto';
import { createHttpServer } from '../../../http/server.ts';
import { newId } from '../../../kernel/ids.ts';
import { freePort } from '../../../platform/config/free-port.ts';
import { contentTypeOf } from '../../../platform/storage/content-types.ts';
import { packagePrefix } from '../../assets/media-address.ts';
import { openTestCatalog, type Person, type TestCatalog, type TestContent, uuidOf } from '../../catalog/testing.ts';

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A JWT, signed as a site does it with node:crypto only. */
export function signToken(privateKey: string, header: object, claims: object): string {
  const key = createPrivateKey(privateKey);
  const text = `${encoded(header)}.${encoded(claims)}`;
  const digest = key.asymmetricKeyType === 'rsa' ? 'sha256' : null;
  return `${text}.${sign(digest, Buffer.from(text), key).toString('base64url')}`;
}

export interface PlaybackFixture {
  readonly api: TestCatalog;
  /** Of the HTTP server; also its BASE_URL. */
  readonly address: string;
  /** A content with a packaged video, private and published by default, by its DID. */
  video(owner: Person, options?: TestContent): Promise<string>;
  close(): Promise<void>;
}

/** The API over HTTP, at its BASE_URL. */
export async function openPlaybackFixture(settings: Record<string, string> = {}): Promise<PlaybackFixture> {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const api = await openTestCatalog({ env: { BASE_URL: address, ...settings } });
  const { platform, domains } = api;
  const server = createHttpServer({
    platform,
    version: 'test',
    routes: domains.media.routes,
    engine: domains.engine,
    credentials: domains.accounts,
  });
  await server.listen(port, '127.0.0.1');
  return {
    api,
    address,
    async video(owner, options = { visibility: 'PRIVATE', status: 'PUBLISHED' }) {
      const did = await api.content(owner, options);
      await addPlayableVideo(api, owner, uuidOf(did));
      return did;
    },
    async close() {
      await server.close({ graceMs: 0 });
      await api.close();
    },
  };
}

/** Adds a packaged video to a content: playlists with one segment, a manifest, a still and a poster. */
export async function addPlayableVideo(
  { rows, platform }: TestCatalog,
  owner: Person,
  contentId: string,
): Promise<void> {
  const [assetId, imageId] = [newId(), newId()];
  const prefix = packagePrefix(contentId, assetId, newId(), 1);
  await rows(
    `insert into video_assets (id, channel_id, content_id, hint, filename, source_key, size_bytes, mime_type, width,
       height, duration_ms, ready_at, package_prefix, extras, thumbnails)
     values ($1, $2, $3, 'LANDSCAPE_VIDEO', 'a.mp4', $4, 6, 'video/mp4', 1280, 720, 4000, now(), $5,
       '{"dash": "manifest.mpd"}', '{"pattern": "thumbs/%05d.jpg", "count": 3, "vtt": "thumbs/storyboard.vtt"}')`,
    [assetId, owner.channelId, contentId, `sources/${assetId}`, prefix],
  );
  await rows(
    `insert into image_assets (id, channel_id, content_id, purpose, width, height, mime_type, size_bytes, object_prefix,
       variants, dominant_color, blurhash)
     values ($1, $2, $3, 'POSTER', 1280, 720, 'image/jpeg', 6, $4, '[{"file": "1280.jpg"}]', '#000000', 'x')`,
    [imageId, owner.channelId, contentId, `images/${imageId}/`],
  );
  const files = {
    [`${prefix}master.m3u8`]:
      '#EXTM3U\n#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=9,URI="v720/iframes.m3u8"\n' +
      '#EXT-X-STREAM-INF:BANDWIDTH=1000\nv720/index.m3u8\n',
    [`${prefix}v720/index.m3u8`]:
      '#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MAP:URI="init.mp4"\n#EXTINF:4,\nseg-00001.m4s\n#EXT-X-ENDLIST\n',
    [`${prefix}v720/iframes.m3u8`]:
      '#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-I-FRAMES-ONLY\n#EXT-X-MAP:URI="init.mp4"\n#EXTINF:4,\n' +
      '#EXT-X-BYTERANGE:3@0\nseg-00001.m4s\n#EXT-X-ENDLIST\n',
    [`${prefix}v720/init.mp4`]: 'an initialization section',
    [`${prefix}v720/seg-00001.m4s`]: 'a segment',
    [`${prefix}manifest.mpd`]: '<MPD/>',
    [`${prefix}thumbs/00001.jpg`]: 'a still',
    [`${prefix}thumbs/storyboard.vtt`]: 'WEBVTT',
    [`images/${imageId}/1280.jpg`]: 'a poster',
  };
  for (const [key, text] of Object.entries(files))
    await platform.store.put(key, Buffer.from(text), { contentType: contentTypeOf(key) });
}
