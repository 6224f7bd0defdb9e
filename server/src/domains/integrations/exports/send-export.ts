import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { AppError } from '../../../kernel/errors.ts';
import { codingChooser } from '../../../platform/content-codings.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { ByteRange } from '../../../platform/storage/object-store.ts';
import { beginObject } from '../../assets/index.ts';
import type { ExportFile, FilePart } from './data-exports.store.ts';

type Store = Pick<Platform['store'], 'read'>;

const JSON_LINES = 'application/jsonl';
const decompress = promisify(gunzip);
const codingOf = codingChooser(['gzip']);

/** A file, and how it is downloaded. */
export interface SentExport {
  readonly id: string;
  readonly file: ExportFile;
  readonly filename: string;
}

/**
 * Sends the file of an export with conditions, ranges and HEAD. Clients that accept gzip get the parts as they are
 * stored. Ranges are always those of the lines, so that a client continues with the bytes that it has written, whether
 * or not they were compressed on the way.
 */
export async function sendExport(
  { store, log }: { readonly store: Store; readonly log: Platform['log'] },
  { id, file, filename }: SentExport,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { headers } = request;
  const isWhole = headers.range === undefined && file.sizeBytes > 0;
  const coding = isWhole ? codingOf(headers['accept-encoding']).coding : null;
  const info = {
    sizeBytes: coding ? file.parts.reduce((sum, { storedBytes }) => sum + storedBytes, 0) : file.sizeBytes,
    contentType: JSON_LINES,
    etag: coding ? `"${id}-gzip"` : `"${id}"`,
    modifiedAtMs: file.finishedMs,
  };
  response.setHeader('Vary', 'accept-encoding');
  if (coding) response.setHeader('Content-Encoding', coding);
  const grant = { objectKey: '', contentType: null, audience: 'SIGNED', downloadAs: filename } as const;
  const part = beginObject({ ...grant, encrypted: false, sharedSeconds: 0 }, info, request, response);
  if (part === 'nothing') return;
  const range = part === 'whole' ? { start: 0, end: file.sizeBytes - 1 } : part;
  const bytes = coding ? storedBytes(store, file.parts) : lineBytes(store, file.parts, range);
  await pipeline(bytes, response).catch((error: unknown) => {
    // The client has left, as a rule.
    if (!isClosed(error)) log.error({ error, export: id }, 'an export could not be sent');
  });
}

async function* storedBytes(store: Store, parts: readonly FilePart[]): AsyncGenerator<Buffer> {
  for (const part of parts) yield* (await open(store, part)) as AsyncIterable<Buffer>;
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
  if (!found) throw new AppError('RESOURCE_NOT_FOUND', `${objectKey} is gone`);
  return found.stream;
}

function isClosed(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
}
