import type { IncomingMessage } from 'node:http';
import { Transform, type TransformCallback } from 'node:stream';
import { AppError, StorageFullError } from '../../../../kernel/errors.ts';
import type { Clock } from '../../../../platform/clock.ts';
import type { Database } from '../../../../platform/db/database.ts';
import type { ReceivingStore } from '../../../../platform/storage/receiving-store.ts';
import type { StorageSpace } from '../../../../platform/storage/storage-space.ts';
import { requirePromise } from '../../quota/reserve-space.ts';
import { endedError } from '../find-upload.ts';
import { findIngestion, type Ingestion, noteReceived } from '../ingestions.store.ts';
import { UPLOAD_REST_MS } from '../open-ingestion.ts';
import { takenOver, type UploadLocker } from './upload-lock.ts';

export interface PutUploadTools {
  readonly db: Database;
  readonly clock: Clock;
  readonly receiving: ReceivingStore;
  readonly locker: UploadLocker;
  readonly space: StorageSpace;
  /** Called when the last byte is in, before another request may replace the bytes. */
  readonly finish: (id: string) => Promise<void>;
}

/**
 * Receives the whole file as one plain request body, and finishes the upload. It always begins at the first byte,
 * replacing anything received before; when it is interrupted, what arrived is kept and a tus client can continue (HEAD,
 * then PATCH).
 * @throws AppError UPLOAD_FAILED when the body is longer or shorter than declared, RESOURCE_ALREADY_EXISTS after the
 *   upload has finished, SERVICE_UNAVAILABLE when its reservation expired and the space is reserved by others.
 */
export async function putUpload(tools: PutUploadTools, request: IncomingMessage, upload: Ingestion): Promise<void> {
  if (upload.state === 'FINISHED') throw finishedAlready();
  refuseWrongLength(request, upload.sizeBytes);
  const body = new CountedBody();
  // Ends the body for its readers.
  body.on('error', () => {});
  let brokenOff = false;
  // A disconnect or a newer request ends the body: received bytes are kept.
  const breakOff = () => {
    brokenOff = true;
    request.unpipe(body);
    body.end();
  };
  const given = new AbortController();
  request.once('close', () => given.abort());
  const receiveAndFinish = async () => {
    // Another request may have finished or ended it while this one waited.
    const current = await findIngestion(tools.db, upload.id);
    if (current?.state !== 'OPEN')
      throw current && current.state !== 'FINISHED' ? endedError(current) : finishedAlready();
    // Aborted before its first byte was read: the bytes of an earlier request are kept.
    if (brokenOff || request.destroyed) throw takenOver();
    await requirePromise(tools, current);
    request.once('error', breakOff);
    request.once('close', breakOff);
    request.pipe(body);
    await receive(tools, body, upload).catch((error: unknown) => {
      throw brokenOff && !request.destroyed ? takenOver() : error;
    });
    await tools.finish(upload.id);
  };
  await tools.locker.hold(upload.id, given.signal, receiveAndFinish, breakOff);
}

async function receive({ receiving, db, clock }: PutUploadTools, body: CountedBody, upload: Ingestion): Promise<void> {
  const { objectKey, sizeBytes } = upload;
  const expiresAt = new Date(clock.now() + UPLOAD_REST_MS).toISOString();
  const received = await receiving.append(objectKey, body, { offset: 0, sizeBytes }).catch(async (error: unknown) => {
    // Bytes of an earlier request may be lost: reserve the rest again.
    if (error instanceof StorageFullError)
      await noteReceived(db, upload.id, await receiving.receivedBytes(objectKey), expiresAt);
    throw error;
  });
  if (received < sizeBytes) {
    await noteReceived(db, upload.id, received, expiresAt);
    throw new AppError('UPLOAD_FAILED', `Only ${received} of ${sizeBytes} bytes arrived.`, {
      suggestedFix:
        'Send the whole file again with PUT, which starts over, or continue ' +
        `at byte ${received} with a tus client (HEAD, then PATCH).`,
    });
  }
  if (await body.exceeds(sizeBytes)) {
    await receiving.discard(objectKey);
    throw wrongLength(`The body is longer than the ${sizeBytes} bytes this upload was opened for.`);
  }
  await noteReceived(db, upload.id, received, expiresAt);
}

/** Counts the bytes: only needed for chunked bodies, because a declared length was checked before. */
class CountedBody extends Transform {
  #bytes = 0;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#bytes += chunk.length;
    done(null, chunk);
  }

  /** Whether more than `limit` bytes arrive; waits for the next chunk or the end. */
  async exceeds(limit: number): Promise<boolean> {
    if (this.#bytes > limit) return true;
    for await (const chunk of this.iterator({ destroyOnReturn: false })) if (chunk.length > 0) return true;
    return false;
  }
}

function refuseWrongLength({ headers }: IncomingMessage, sizeBytes: number): void {
  if (headers['content-range'] !== undefined) {
    throw new AppError('INVALID_INPUT', 'PUT takes the whole file, not a part of it.', {
      field: 'Content-Range',
      suggestedFix: 'Continue an upload with tus 1.0.0: HEAD returns the offset, PATCH sends the rest.',
    });
  }
  const declared = headers['content-length'];
  if (declared === undefined && headers['transfer-encoding'] === undefined)
    throw wrongLength('The request has no body.');
  if (declared !== undefined && Number(declared) !== sizeBytes) {
    throw wrongLength(`The body has ${declared} bytes, but this upload was opened for ${sizeBytes}.`);
  }
}

function wrongLength(message: string): AppError {
  return new AppError('UPLOAD_FAILED', message, {
    field: 'Content-Length',
    suggestedFix: 'Send exactly the file this upload was opened for, or open a new upload with the right size.',
  });
}

function finishedAlready(): AppError {
  return new AppError('RESOURCE_ALREADY_EXISTS', 'This upload has already finished.', {
    suggestedFix: 'There is nothing left to send. To replace the file, open a new upload.',
  });
}
