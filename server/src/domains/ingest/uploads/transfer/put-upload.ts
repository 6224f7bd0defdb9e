import type { IncomingMessage } from 'node:http';
import { Transform, type TransformCallback } from 'node:stream';
import { AppError, StorageFullError } from '../../../../kernel/errors.ts';
import { type Text, t } from '../../../../kernel/languages/message.ts';
import { declareSize } from '../deferred-size.ts';
import { type Ingestion, noteReceived } from '../ingestions.store.ts';
import { UPLOAD_REST_MS } from '../open-ingestion.ts';
import { finishedAlready, type ReceivingTools, whileReceiving } from './receive-body.ts';

/**
 * Receives the whole file as one plain request body, and finishes the upload; returns its size, which is that of the
 * body where it was not known. It always begins at the first byte,
 * replacing anything received before; when it is interrupted, what arrived is kept and can be continued: with
 * Content-Range (`putPart`), or by a tus client (HEAD, then PATCH).
 * @throws AppError UPLOAD_FAILED when the body is longer or shorter than declared, RESOURCE_ALREADY_EXISTS after the
 *   upload has finished, SERVICE_UNAVAILABLE when its reservation expired and the space is reserved by others.
 */
export async function putUpload(tools: ReceivingTools, request: IncomingMessage, upload: Ingestion): Promise<number> {
  if (upload.state === 'FINISHED') throw finishedAlready();
  refuseWrongLength(request, upload.sizeBytes);
  return whileReceiving(tools, request, upload.id, {
    receive: async (current, readThrough) => {
      const sizeBytes = current.sizeBytes ?? Number(request.headers['content-length']);
      if (current.sizeBytes === null) {
        const receivedBytes = await tools.receiving.receivedBytes(current.objectKey);
        await declareSize(tools, current, { sizeBytes, receivedBytes, field: 'Content-Length' });
      }
      return receive(tools, readThrough(new CountedBody()), { ...current, sizeBytes });
    },
    settle: () => tools.finish(upload.id),
  });
}

async function receive(
  { receiving, db, clock, arriving }: ReceivingTools,
  body: CountedBody,
  upload: Ingestion & { readonly sizeBytes: number },
): Promise<number> {
  const { objectKey, sizeBytes } = upload;
  const expiresAt = new Date(clock.now() + UPLOAD_REST_MS).toISOString();
  const onBytes = (bytes: Buffer, offset: number) => arriving?.bytes(upload, bytes, offset);
  const options = { offset: 0, sizeBytes, onBytes };
  const received = await receiving.append(objectKey, body, options).catch(async (error: unknown) => {
    // Bytes of an earlier request may be lost: reserve the rest again.
    if (error instanceof StorageFullError)
      await noteReceived(db, upload.id, await receiving.receivedBytes(objectKey), expiresAt);
    throw error;
  });
  arriving?.stored(upload, received);
  if (received < sizeBytes) {
    await noteReceived(db, upload.id, received, expiresAt);
    throw new AppError('UPLOAD_FAILED', t`Only ${received} of ${sizeBytes} bytes arrived.`, {
      suggestedFix: t`Send the whole file again with PUT, which starts over, or continue at byte ${received} with
        Content-Range, or with a tus client (HEAD, then PATCH).`,
    });
  }
  if (await body.exceeds(sizeBytes)) {
    await receiving.discard(objectKey);
    throw wrongLength(t`The body is longer than the ${sizeBytes} bytes this upload was opened for.`);
  }
  await noteReceived(db, upload.id, received, expiresAt);
  return received;
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

function refuseWrongLength({ headers }: IncomingMessage, sizeBytes: number | null): void {
  const declared = headers['content-length'];
  if (declared === undefined && headers['transfer-encoding'] === undefined)
    throw wrongLength(t`The request has no body.`);
  if (sizeBytes === null && declared === undefined)
    throw wrongLength(t`The size of this upload is not known yet, and the request does not name it.`);
  if (sizeBytes !== null && declared !== undefined && Number(declared) !== sizeBytes) {
    throw wrongLength(t`The body has ${declared} bytes, but this upload was opened for ${sizeBytes}.`);
  }
}

function wrongLength(message: Text): AppError {
  return new AppError('UPLOAD_FAILED', message, {
    field: 'Content-Length',
    suggestedFix: t`Send exactly the file this upload was opened for, or open a new upload with the right size.`,
  });
}
