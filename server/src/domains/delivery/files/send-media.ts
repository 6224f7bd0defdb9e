import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { ByteRange, ObjectInfo, ObjectStore } from '../../../platform/storage/object-store.ts';
import { isChangingImage } from '../../assets/index.ts';
import { ifRangeHolds, matchesEtag, parseRange } from './byte-range.ts';
import { etagOf, type GeneratedFile } from './generated-media.ts';
import type { MediaGrant } from './media-access.ts';
import { type MediaLifetime, setMediaCaching } from './media-caching.ts';

/** Sends a generated file with conditions and HEAD; it is small, so always sent whole. */
export function sendGenerated(
  { body: content, contentType, lifetime, etag: known, vary }: GeneratedFile,
  grant: MediaGrant,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const body = typeof content === 'string' ? Buffer.from(content) : content;
  const etag = known ?? etagOf(body);
  response.setHeader('Content-Type', contentType);
  response.setHeader('ETag', etag);
  if (vary !== undefined) response.setHeader('Vary', vary);
  setMediaCaching(response, grant, lifetime);
  if (matchesEtag(request.headers['if-none-match'], etag)) return void response.writeHead(304).end();
  response.writeHead(200, { 'Content-Length': body.length }).end(request.method === 'HEAD' ? undefined : body);
}

/**
 * Sends a stored object with ranges, conditions and HEAD.
 * @throws AppError RESOURCE_NOT_FOUND when there is no such object; INVALID_INPUT with status 416 for a range outside.
 */
export async function sendObject(
  store: ObjectStore,
  grant: MediaGrant,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method, headers } = request;
  const conditional = method === 'HEAD' || headers.range !== undefined || headers['if-none-match'] !== undefined;
  const begin = (info: ObjectInfo) => beginObject(grant, info, request, response);
  if (await store.send(grant.objectKey, response, { conditional, begin })) return;
  throw isOriginal(grant.objectKey) ? originalGone() : noMedia();
}

/**
 * Writes the headers of a file, and all of a response without a body; returns what the body is.
 * @throws AppError INVALID_INPUT with status 416 for a range outside.
 */
export function beginObject(
  grant: MediaGrant,
  info: ObjectInfo,
  { method, headers }: IncomingMessage,
  response: ServerResponse,
): ByteRange | 'whole' | 'nothing' {
  const { sizeBytes } = info;
  if (matchesEtag(headers['if-none-match'], info.etag)) {
    describe(response, grant, info);
    response.writeHead(304).end();
    return 'nothing';
  }
  // Range is defined for GET only (RFC 9110 section 14.2).
  const holds = method === 'GET' && ifRangeHolds(headerText(headers['if-range']), info.etag, info.modifiedAtMs);
  const wanted = holds ? parseRange(headers.range, sizeBytes) : ({ kind: 'whole' } as const);
  if (wanted.kind === 'unsatisfiable') {
    throw new AppError('INVALID_INPUT', t`The file has ${sizeBytes} bytes; the requested range lies outside of it.`, {
      field: 'Range',
      suggestedFix: t`Request a range below the size that Content-Range states.`,
      httpStatus: 416,
      headers: { 'content-range': `bytes */${sizeBytes}` },
    });
  }
  describe(response, grant, info);
  if (method === 'HEAD') {
    response.writeHead(200, { 'Content-Length': sizeBytes }).end();
    return 'nothing';
  }
  if (wanted.kind === 'whole') {
    response.writeHead(200, { 'Content-Length': sizeBytes });
    return 'whole';
  }
  const { start, end } = wanted.range;
  response.writeHead(206, { 'Content-Range': `bytes ${start}-${end}/${sizeBytes}`, 'Content-Length': end - start + 1 });
  return wanted.range;
}

function describe(response: ServerResponse, grant: MediaGrant, info: ObjectInfo): void {
  response.setHeader('Content-Type', grant.contentType ?? info.contentType);
  response.setHeader('Accept-Ranges', 'bytes');
  response.setHeader('ETag', info.etag);
  response.setHeader('Last-Modified', new Date(info.modifiedAtMs).toUTCString());
  setMediaCaching(response, grant, lifetimeOf(grant));
  if (grant.downloadAs !== null) response.setHeader('Content-Disposition', attachment(grant.downloadAs));
}

/**
 * Segments and images never change at their address, but for pictures of what is live; playlists and manifests neither,
 * but their caching decides how soon an unpublished video stops. Downloads may be disallowed or renamed.
 */
function lifetimeOf({ objectKey, downloadAs }: MediaGrant): MediaLifetime {
  if (isChangingImage(objectKey)) return 'LIVE';
  return downloadAs !== null || /\.(m3u8|mpd)$/.test(objectKey) ? 'SHORT' : 'IMMUTABLE';
}

/** RFC 6266 with the extended notation of RFC 8187: hostile names cannot leave the header. */
function attachment(filename: string): string {
  const encoded = encodeURIComponent(filename.toWellFormed()).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename*=UTF-8''${encoded}`;
}

function headerText(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

/** Only uploaded files lie outside of `media/` and `images/`. */
function isOriginal(key: string): boolean {
  return key.startsWith('uploads/') || key.startsWith('sources/');
}

function originalGone(): AppError {
  return new AppError('RESOURCE_NOT_FOUND', t`The original file of this video is not stored any more.`, {
    suggestedFix: t`Download one of the qualities (outputAssets.video.download), or upload the video again;
      updateChannel with keepOriginals: true keeps originals from then on.`,
  });
}

/** The error for an address without a file. */
export function noMedia(): AppError {
  return new AppError('RESOURCE_NOT_FOUND', t`There is no media at this address.`);
}
