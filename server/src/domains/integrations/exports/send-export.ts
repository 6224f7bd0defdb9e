import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { ByteRange } from '../../../platform/storage/object-store.ts';
import { beginObject } from '../../delivery/index.ts';
import type { ExportFile, FilePart } from './data-exports.store.ts';

type Store = Pick<Platform['store'], 'read'>;

const JSON_LINES = 'application/jsonl';
const decompress = promisify(gunzip);

/** A file, and how it is downloaded. */
export interface SentExport {
  readonly id: string;
  readonly file: ExportFile;
  readonly filename: string;
}

/**
 * Sends the file of an export with conditions, ranges and HEAD: always uncompressed, since common clients such as curl
 * read only the first of several members of gzip.
 */
export async function sendExport(
  { store, log }: { readonly store: Store; readonly log: Platform['log'] },
  { id, file, filename }: SentExport,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { finishedMs: modifiedAtMs, sizeBytes, parts } = file;
  const info = { sizeBytes, contentType: JSON_LINES, etag: `"${id}"`, modifiedAtMs };
  const grant = { objectKey: '', contentType: null, audience: 'SIGNED', downloadAs: filename } as const;
  const part = beginObject({ ...grant, encryptedWith: null, sharedSeconds: 0 }, info, request, response);
  if (part === 'nothing') return;
  const range = part === 'whole' ? { start: 0, end: sizeBytes - 1 } : part;
  await pipeline(lineBytes(store, parts, range), response).catch((error: unknown) => {
    // The client has left, as a rule.
    if (!isClosed(error)) log.error({ error, export: id }, 'an export could not be sent');
  });
}

/** A range of the lines: each part is as small as memory allows. */
async function* lineBytes(store: Store, parts: readonly FilePart[], { start, end }: ByteRange): AsyncGenerator<Buffer> {
  for (const part of parts) {
    const { startByte, sizeBytes } = part;
    if (startByte + sizeBytes <= start || startByte > end) continue;
    const lines = await decompress(await buffer(await open(store, part)));
    if (lines.length !== sizeBytes) throw new Error(`${part.objectKey} has another length`);
    yield lines.subarray(Math.max(0, start - startByte), end + 1 - startByte);
  }
}

async function open(store: Store, { objectKey }: FilePart) {
  const found = await store.read(objectKey);
  if (!found) throw new AppError('RESOURCE_NOT_FOUND', t`${objectKey} is gone`);
  return found.stream;
}

function isClosed(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
}
