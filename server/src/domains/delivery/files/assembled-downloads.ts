import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import {
  DOWNLOAD_HEAD_BYTES,
  DOWNLOAD_INDEX_SUFFIX,
  DOWNLOADS_FOLDER,
  type DownloadDirectory,
  downloadDirectoryBytes,
  type Piece,
  piecesOf,
  readDownloadDirectory,
} from '../../../media/index.ts';
import type { Logger } from '../../../platform/log.ts';
import { contentTypeOf } from '../../../platform/storage/content-types.ts';
import type { ByteRange, ObjectInfo, ObjectStore } from '../../../platform/storage/object-store.ts';
import { ByteCache, type Sized } from '../../assets/index.ts';
import type { MediaGrant } from './media-access.ts';
import { beginObject, noMedia } from './send-media.ts';

type Store = Pick<ObjectStore, 'read'>;

/** A file that is assembled of the segments of a package. */
export interface AssembledDownload {
  readonly info: ObjectInfo;
  readonly directory: DownloadDirectory;
  /** Of the object with the index, as its beginning tells. */
  readonly indexBytes: number;
  /** The bytes of a range, read as they are consumed. It throws where a segment is missing or has another length. */
  read(range: ByteRange): AsyncGenerator<Buffer>;
}

const ENDING = `/${DOWNLOADS_FOLDER}/`;

/** Whether the object is the index of a download, and not a file. */
export function isDownloadIndex(key: string): boolean {
  return key.includes(ENDING) && key.endsWith(DOWNLOAD_INDEX_SUFFIX);
}

/** An index of an hour has a directory of this size: one request reads it. */
const FIRST_BYTES = 64 * 1024;

/** The download with the index `key`; null when there is none. @throws Mp4Error where the index is damaged. */
export async function openDownload(store: Store, key: string): Promise<AssembledDownload | null> {
  return (await loadDownload(store, key)).value;
}

async function loadDownload(store: Store, key: string): Promise<Sized<AssembledDownload | null>> {
  const found = await store.read(key, { start: 0, end: FIRST_BYTES - 1 });
  if (!found) return { value: null, bytes: 0 };
  const start = await buffer(found.stream);
  const length = downloadDirectoryBytes(start);
  const end = DOWNLOAD_HEAD_BYTES + length;
  const rest = end > start.length ? await store.read(key, { start: start.length, end: end - 1 }) : null;
  const bytes = rest ? Buffer.concat([start, await buffer(rest.stream)]) : start;
  const directory = readDownloadDirectory(bytes.subarray(DOWNLOAD_HEAD_BYTES, end));
  const contentType = contentTypeOf(key.slice(0, -DOWNLOAD_INDEX_SUFFIX.length));
  const prefix = key.slice(0, key.lastIndexOf(ENDING) + 1);
  const value: AssembledDownload = {
    info: { ...found.info, sizeBytes: directory.sizeBytes, contentType },
    directory,
    indexBytes: end + directory.headBytes,
    read: (range) =>
      bytesOf(store, piecesOf(directory, length, range), (path) => (path === null ? key : prefix + path)),
  };
  // Parsed, it takes some times its text.
  return { value, bytes: 4 * length };
}

/** When so much of an object is left to send, the next one is requested. */
const AHEAD_BYTES = 1024 ** 2;

/** The bytes of pieces, one after the other. */
async function* bytesOf(
  store: Store,
  pieces: Iterator<Piece, void>,
  keyOf: (path: string | null) => string,
): AsyncGenerator<Buffer> {
  const begin = (): Promise<Opened> | null => {
    const { value: piece } = pieces.next();
    const opened = piece ? openRange(store, keyOf(piece.path), piece) : null;
    // It is awaited later.
    opened?.catch(() => {});
    return opened;
  };
  let next = begin();
  try {
    while (next) {
      const { stream, key, bytes }: Opened = await next;
      next = null;
      let [left, requested] = [bytes, false];
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        left -= chunk.length;
        if (!requested && left <= AHEAD_BYTES) {
          next = begin();
          requested = true;
        }
        yield chunk;
      }
      if (left !== 0) throw new Error(`${key} has another length`);
    }
  } finally {
    await next?.then(
      ({ stream }) => stream.destroy(),
      () => {},
    );
  }
}

interface Opened {
  readonly key: string;
  readonly bytes: number;
  readonly stream: Readable;
}

async function openRange(store: Store, key: string, { start, end }: ByteRange): Promise<Opened> {
  const found = await store.read(key, { start, end });
  if (!found) throw new AppError('RESOURCE_NOT_FOUND', t`${key} is gone`);
  return { key, stream: found.stream, bytes: end + 1 - start };
}

/** Directories: an hour takes 100 KiB. */
const MAX_DIRECTORIES_BYTES = 32 * 1024 ** 2;

/** Sends a download that is assembled, with ranges, conditions and HEAD. */
export type SendDownload = (
  tools: { readonly store: Store; readonly log: Logger },
  grant: MediaGrant,
  request: IncomingMessage,
  response: ServerResponse,
) => Promise<void>;

export function downloadSender(): SendDownload {
  const directories = new ByteCache<AssembledDownload | null>(MAX_DIRECTORIES_BYTES);
  return async ({ store, log }, grant, request, response) => {
    const { objectKey } = grant;
    const download = await directories.get(objectKey, () => loadDownload(store, objectKey));
    if (!download) throw noMedia();
    const part = beginObject(grant, download.info, request, response);
    if (part === 'nothing') return;
    const range = part === 'whole' ? { start: 0, end: download.info.sizeBytes - 1 } : part;
    const bytes = download.read(range);
    await pipeline(bytes, response).catch((error: unknown) => {
      // The client has left, as a rule.
      if (!isClosed(error)) log.error({ error, objectKey }, 'a download could not be assembled');
    });
  };
}

function isClosed(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
}

/** Size of a stored file, or of one that is assembled; null when there is none. */
export async function mediaBytes(store: Pick<ObjectStore, 'head' | 'read'>, key: string): Promise<number | null> {
  const found = isDownloadIndex(key) ? (await openDownload(store, key))?.info : await store.head(key);
  return found?.sizeBytes ?? null;
}

/** A part of a stored file, or of one that is assembled; null when there is none. */
export async function readMedia(
  store: Store,
  key: string,
  range: ByteRange,
): Promise<{ readonly sizeBytes: number; readonly stream: Readable } | null> {
  if (!isDownloadIndex(key)) {
    const found = await store.read(key, range);
    return found && { sizeBytes: found.info.sizeBytes, stream: found.stream };
  }
  const download = await openDownload(store, key);
  return (
    download && {
      sizeBytes: download.info.sizeBytes,
      stream: Readable.from(download.read(range), { objectMode: false }),
    }
  );
}
