import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { AppError } from '../../../../kernel/errors.ts';
import { t } from '../../../../kernel/languages/message.ts';
import type { Clock } from '../../../../platform/clock.ts';
import type { Database } from '../../../../platform/db/database.ts';
import type { ReceivingStore } from '../../../../platform/storage/receiving-store.ts';
import type { StorageSpace } from '../../../../platform/storage/storage-space.ts';
import type { ArrivingUploads } from '../arriving-uploads.ts';
import { endedError } from '../find-upload.ts';
import { findIngestion, type Ingestion } from '../ingestions.store.ts';
import { takenOver, type UploadLocker } from '../locks/upload-lock.ts';
import { requirePromise } from '../require-promise.ts';

export interface ReceivingTools {
  readonly db: Database;
  readonly clock: Clock;
  readonly receiving: ReceivingStore;
  readonly locker: UploadLocker;
  readonly space: StorageSpace;
  /** Default: uploads are not played while they arrive. */
  readonly arriving?: ArrivingUploads | undefined;
  /** Called when the last byte is in, before another request may replace the bytes. */
  readonly finish: (id: string) => Promise<void>;
}

/** Sends the request through `body`, which ends when the request ends, breaks off or is replaced by a newer one. */
export type ReadThrough = <Body extends Transform>(body: Body) => Body;

interface Receiving<T> {
  readonly receive: (upload: Ingestion, readThrough: ReadThrough) => Promise<T>;
  /** What follows when it has succeeded, whatever became of the request. */
  readonly settle: (received: T) => Promise<void>;
}

/**
 * Receives bytes while no other request works on the upload, which is open and has its space reserved.
 * @throws AppError RESOURCE_ALREADY_EXISTS after the upload has finished, the error it ended with,
 *   SERVICE_UNAVAILABLE when its reservation expired and the space is reserved by others, or a newer request took over.
 */
export async function whileReceiving<T>(
  tools: ReceivingTools,
  request: IncomingMessage,
  id: string,
  { receive, settle }: Receiving<T>,
): Promise<T> {
  let brokenOff = false;
  let reading: Transform | null = null;
  // A disconnect or a newer request ends the body: received bytes are kept.
  const breakOff = () => {
    brokenOff = true;
    if (!reading) return;
    request.unpipe(reading);
    reading.end();
  };
  const given = new AbortController();
  request.once('close', () => given.abort());
  const readThrough: ReadThrough = (body) => {
    // Ends the body for its readers.
    body.on('error', () => {});
    reading = body;
    request.once('error', breakOff);
    request.once('close', breakOff);
    if (brokenOff) body.end();
    else request.pipe(body);
    return body;
  };
  const receiveOpen = async () => {
    // Another request may have finished or ended it while this one waited.
    const current = await findIngestion(tools.db, id);
    if (current?.state !== 'OPEN')
      throw current && current.state !== 'FINISHED' ? endedError(current) : finishedAlready();
    // Aborted before its first byte was read: the bytes of an earlier request are kept.
    if (brokenOff || request.destroyed) throw takenOver();
    await requirePromise(tools, current);
    const received = await receive(current, readThrough).catch((error: unknown) => {
      throw brokenOff && !request.destroyed ? takenOver() : error;
    });
    await settle(received);
    return received;
  };
  return tools.locker.hold(id, given.signal, receiveOpen, breakOff);
}

export function finishedAlready(): AppError {
  return new AppError('RESOURCE_ALREADY_EXISTS', t`This upload has already finished.`, {
    suggestedFix: t`There is nothing left to send. To replace the file, open a new upload.`,
  });
}
