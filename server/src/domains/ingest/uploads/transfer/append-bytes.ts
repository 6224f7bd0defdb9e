import { Readable } from 'node:stream';
import type { ByteComparison } from '../../../../platform/storage/checksums.ts';
import { type ReceivingStore, untilBroken } from '../../../../platform/storage/receiving-store.ts';
import type { ArrivingUploads } from '../arriving-uploads.ts';
import { type DeferredSizeTools, reserveStep } from '../deferred-size.ts';
import { type Ingestion, noteReceived } from '../ingestions.store.ts';
import { UPLOAD_REST_MS } from '../open-ingestion.ts';
import { requirePromise } from '../require-promise.ts';
import { MAX_DEFERRED_BYTES } from '../upload-input.ts';

export interface AppendTools extends DeferredSizeTools {
  readonly receiving: ReceivingStore;
  /** Default: uploads are not played while they arrive. */
  readonly arriving?: ArrivingUploads | undefined;
}

/**
 * Appends a body at the offset of an upload and records the progress; returns the bytes kept now. Where the size is not
 * known, space is reserved in steps, before the bytes that need it: what arrived before a step that is refused is kept.
 * @throws StorageFullError, or AppError INVALID_INPUT (413) when plan or quota take no more; ChecksumMismatchError
 *   where the comparison fails.
 */
export async function appendBytes(
  tools: AppendTools,
  upload: Ingestion,
  body: Readable,
  { offset, comparison = null }: { readonly offset: number; readonly comparison?: ByteComparison | null },
): Promise<number> {
  const { receiving, db, clock, arriving } = tools;
  await requirePromise(tools, upload);
  const refusal: Refusal = { error: null };
  const chunks =
    upload.sizeBytes === null ? Readable.from(withinReserved(tools, upload, { body, offset, refusal })) : body;
  const sizeBytes = upload.sizeBytes ?? MAX_DEFERRED_BYTES;
  const received = await receiving.append(upload.objectKey, chunks, {
    ...{ offset, sizeBytes },
    ...(comparison ? { comparison } : {}),
    onBytes: (bytes, at) => arriving?.bytes(upload, bytes, at),
  });
  arriving?.stored(upload, received);
  await noteReceived(db, upload.id, received, new Date(clock.now() + UPLOAD_REST_MS).toISOString());
  if (refusal.error) throw refusal.error;
  return received;
}

interface Refusal {
  error: unknown;
}

/** The chunks of a body, each once it is reserved; ends where a step is refused, or the body breaks off. */
async function* withinReserved(
  tools: AppendTools,
  upload: Ingestion,
  { body, offset, refusal }: { readonly body: Readable; readonly offset: number; readonly refusal: Refusal },
): AsyncGenerator<Buffer> {
  let [at, reserved] = [offset, upload.reservedBytes];
  for await (const chunk of untilBroken(body, Number.POSITIVE_INFINITY)) {
    let rest = chunk;
    while (at + rest.length > reserved) {
      const fitting = rest.subarray(0, reserved - at);
      if (fitting.length > 0) yield fitting;
      rest = rest.subarray(fitting.length);
      at = reserved;
      try {
        reserved = await reserveStep(tools, upload);
      } catch (error) {
        refusal.error = error;
        return;
      }
    }
    yield rest;
    at += rest.length;
  }
}
