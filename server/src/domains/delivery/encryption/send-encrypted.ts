import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { isIframePlaylist } from '../../../media/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { ObjectInfo } from '../../../platform/storage/object-store.ts';
import { matchesEtag } from '../files/byte-range.ts';
import type { GeneratedFile } from '../files/generated-media.ts';
import type { MediaGrant } from '../files/media-access.ts';
import { setMediaCaching } from '../files/media-caching.ts';
import { noMedia, sendGenerated, sendObject } from '../files/send-media.ts';
import {
  encryptedBytes,
  encryptedPlaylist,
  KEY_NAME,
  type NumberedSegment,
  segmentAt,
  segmentCipher,
  segmentKey,
} from './segment-cipher.ts';

type Tools = Pick<Platform, 'secrets' | 'store'>;

/**
 * Sends a file of a video whose segments are encrypted: keys, playlists that name them, and segments, which are
 * encrypted on their way and always sent whole. All other files are sent as they are.
 * @throws AppError RESOURCE_NOT_FOUND when there is no such file.
 */
export async function sendEncrypted(
  tools: Tools,
  generated: GeneratedFile | null,
  grant: MediaGrant,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { objectKey } = grant;
  if (objectKey.endsWith(`/${KEY_NAME}`)) {
    const body = segmentKey(tools.secrets, objectKey.slice(0, -KEY_NAME.length));
    // Keys stay out of shared caches, so that these hold nothing that plays.
    const unshared = { ...grant, sharedSeconds: 0 };
    const file = { body, contentType: 'application/octet-stream', lifetime: 'IMMUTABLE' as const };
    return sendGenerated(file, unshared, request, response);
  }
  if (objectKey.endsWith('.m3u8')) {
    const playlist = generated ? String(generated.body) : await storedText(tools, objectKey);
    // Segments are encrypted whole: a range of one cannot be decrypted.
    if (isIframePlaylist(playlist)) throw noMedia();
    const lifetime = generated?.lifetime ?? 'SHORT';
    const file = { body: encryptedPlaylist(playlist), contentType: 'application/vnd.apple.mpegurl', lifetime };
    return sendGenerated(file, grant, request, response);
  }
  const segment = segmentAt(objectKey);
  if (segment && generated) return sendGeneratedSegment(tools, segment, generated, grant, request, response);
  if (segment) return sendStoredSegment(tools, segment, grant, request, response);
  // Parts of segments are sent in the clear only.
  if (objectKey.endsWith('.m4s')) throw noMedia();
  if (generated) return sendGenerated(generated, grant, request, response);
  return sendObject(tools.store, grant, request, response);
}

async function storedText({ store }: Tools, objectKey: string): Promise<string> {
  const found = await store.read(objectKey);
  if (!found) throw noMedia();
  return text(found.stream);
}

function sendGeneratedSegment(
  { secrets }: Tools,
  segment: NumberedSegment,
  { body: clear, contentType, lifetime, etag }: GeneratedFile,
  grant: MediaGrant,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const cipher = segmentCipher(secrets, segment);
  const body = Buffer.concat([cipher.update(clear), cipher.final()]);
  const own = etag === undefined ? {} : { etag: etagOfEncrypted(etag) };
  sendGenerated({ body, contentType, lifetime, ...own }, grant, request, response);
}

async function sendStoredSegment(
  { store, secrets }: Tools,
  segment: NumberedSegment,
  grant: MediaGrant,
  { method, headers }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const describe = ({ contentType, etag }: ObjectInfo): boolean => {
    response.setHeader('Content-Type', contentType);
    response.setHeader('ETag', etagOfEncrypted(etag));
    setMediaCaching(response, grant, 'IMMUTABLE');
    return matchesEtag(headers['if-none-match'], etagOfEncrypted(etag));
  };
  if (method === 'HEAD' || headers['if-none-match'] !== undefined) {
    const info = await store.head(grant.objectKey);
    if (!info) throw noMedia();
    if (describe(info)) return void response.writeHead(304).end();
    if (method === 'HEAD')
      return void response.writeHead(200, { 'Content-Length': encryptedBytes(info.sizeBytes) }).end();
  }
  const found = await store.read(grant.objectKey);
  if (!found) throw noMedia();
  describe(found.info);
  response.writeHead(200, { 'Content-Length': encryptedBytes(found.info.sizeBytes) });
  await pipeline(found.stream, segmentCipher(secrets, segment), response);
}

function etagOfEncrypted(etag: string): string {
  return `${etag.slice(0, -1)}-aes"`;
}
