import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { AppError } from '../../../../kernel/errors.ts';
import { t } from '../../../../kernel/languages/message.ts';
import type { Clock } from '../../../../platform/clock.ts';
import type { Database } from '../../../../platform/db/database.ts';
import { parseRestJson } from '../../../../platform/parse-json.ts';
import { readBody } from '../../../../platform/read-body.ts';
import type { DirectReceiving, ReceivingStore, SignedPart } from '../../../../platform/storage/receiving-store.ts';
import type { StorageSpace } from '../../../../platform/storage/storage-space.ts';
import { endedError } from '../find-upload.ts';
import { findIngestion, type Ingestion, noteReceived } from '../ingestions.store.ts';
import type { UploadLocker } from '../locks/upload-lock.ts';
import { UPLOAD_REST_MS } from '../open-ingestion.ts';
import { requirePromise } from '../require-promise.ts';

export interface DirectTransferTools {
  readonly db: Database;
  readonly clock: Clock;
  readonly receiving: ReceivingStore;
  readonly locker: UploadLocker;
  readonly space: StorageSpace;
  /** Called when the object is complete. */
  readonly finish: (id: string) => Promise<void>;
}

const VALID_SECONDS = 3_600;
const MAX_PARTS_AT_ONCE = 100;
/** ETags of 10,000 parts take half of it. */
const BODY = { maxBytes: 1024 * 1024, timeoutMs: 30_000 };
/** Parts are objects with two members. */
const MAX_VALUES = 100_000;

const PartsRequest = z.strictObject({
  first: z.int().min(1).max(10_000).default(1),
  count: z.int().min(1).max(MAX_PARTS_AT_ONCE).default(MAX_PARTS_AT_ONCE),
});
const CompleteRequest = z.strictObject({ etags: z.array(z.string().min(1).max(200)).min(1).max(10_000) });

/** The parts of an upload that a request asks for. */
export interface OfferedParts {
  readonly upload: { readonly partCount: number; readonly partSizeBytes: number };
  readonly parts: readonly (SignedPart & { readonly expiresAt: string })[];
}

/**
 * Returns signed addresses of parts, each for one part of this upload and its size. The first call begins the upload in
 * the object storage; every call extends its time.
 * @throws AppError INVALID_INPUT where the storage takes no parts, for a part that does not exist, and after bytes
 *   arrived otherwise; SERVICE_UNAVAILABLE when its reservation expired and the space is reserved by others.
 */
export async function offerParts(
  tools: DirectTransferTools,
  request: IncomingMessage,
  upload: Ingestion,
): Promise<OfferedParts> {
  const { db, clock, receiving } = tools;
  const direct = requireDirect(receiving);
  const { first, count } = await readRequest(request, PartsRequest);
  const { objectKey } = upload;
  const sizeBytes = requireKnownSize(upload);
  const partSizeBytes = direct.partBytes(sizeBytes);
  const partCount = Math.ceil(sizeBytes / partSizeBytes);
  if (first > partCount)
    throw new AppError('INVALID_INPUT', t`The file has ${partCount} parts of ${partSizeBytes} bytes.`, {
      field: 'first',
      suggestedFix: t`Ask for parts from 1 to ${partCount}.`,
    });
  const numbers = Array.from({ length: Math.min(count, partCount - first + 1) }, (_, index) => first + index);
  const nowMs = clock.now();
  const expiresAt = new Date(nowMs + VALID_SECONDS * 1000).toISOString();
  const signed = await whileOpen(tools, upload, async (current) => {
    const received = await receiving.receivedBytes(objectKey);
    if (received > 0) throw startedOtherwise(received);
    await requirePromise(tools, current);
    const parts = await direct.sign(objectKey, sizeBytes, { numbers, nowMs, validSeconds: VALID_SECONDS });
    await noteReceived(db, upload.id, 0, new Date(nowMs + UPLOAD_REST_MS).toISOString());
    return parts;
  });
  return { upload: { partCount, partSizeBytes }, parts: signed.map((part) => ({ ...part, expiresAt })) };
}

/**
 * Creates the file from its parts and finishes the upload, as the last byte of any upload does; returns its size.
 * Idempotent.
 * @throws AppError UPLOAD_FAILED when a part is missing, is another one or has another size; the upload stays open.
 */
export async function completeParts(
  tools: DirectTransferTools,
  request: IncomingMessage,
  upload: Ingestion,
): Promise<number> {
  const { db, clock, receiving, finish } = tools;
  const direct = requireDirect(receiving);
  const { etags } = await readRequest(request, CompleteRequest);
  const { objectKey } = upload;
  const sizeBytes = requireKnownSize(upload);
  const partCount = Math.ceil(sizeBytes / direct.partBytes(sizeBytes));
  if (etags.length !== partCount)
    throw new AppError('INVALID_INPUT', t`The file has ${partCount} parts, but ${etags.length} ETags are given.`, {
      field: 'etags',
      suggestedFix: t`Send the ETag headers of the responses to all parts, in the order of the parts.`,
    });
  await whileOpen(tools, upload, async () => {
    await direct.assemble(objectKey, sizeBytes, etags);
    await noteReceived(db, upload.id, sizeBytes, new Date(clock.now() + UPLOAD_REST_MS).toISOString());
    await finish(upload.id);
  }).catch((error: unknown) => {
    if (!(error instanceof AppError && error.code === 'RESOURCE_ALREADY_EXISTS')) throw error;
  });
  return sizeBytes;
}

/** Parts have a size that depends on that of the file. */
function requireKnownSize({ sizeBytes }: Ingestion): number {
  if (sizeBytes !== null) return sizeBytes;
  throw new AppError('INVALID_INPUT', t`The size of this file is not known yet.`, {
    suggestedFix: t`Send the file to the endpoint of the upload with PATCH, the last bytes with Upload-Length.`,
  });
}

/** Works on an upload that is still open once no other request does. */
async function whileOpen<T>(
  { db, locker }: DirectTransferTools,
  upload: Ingestion,
  work: (current: Ingestion) => Promise<T>,
): Promise<T> {
  return locker.hold(upload.id, new AbortController().signal, async () => {
    const current = await findIngestion(db, upload.id);
    if (current?.state === 'OPEN') return work(current);
    if (current?.state !== 'FINISHED') throw endedError(current ?? upload);
    throw new AppError('RESOURCE_ALREADY_EXISTS', t`This upload has already finished.`, {
      suggestedFix: t`There is nothing left to send. To replace the file, open a new upload.`,
    });
  });
}

function requireDirect({ direct }: ReceivingStore): DirectReceiving {
  if (direct) return direct;
  throw new AppError('INVALID_INPUT', t`This server receives files itself, not in parts to an object storage.`, {
    suggestedFix: t`Send the file to the endpoint of the upload: by PUT, or by tus 1.0.0 (HEAD and PATCH).`,
  });
}

function startedOtherwise(received: number): AppError {
  return new AppError('INVALID_INPUT', t`${received} bytes of this upload were received by tus or PUT.`, {
    suggestedFix: t`Continue at the endpoint of the upload with HEAD and PATCH, or open a new upload.`,
  });
}

async function readRequest<Schema extends z.ZodType>(
  request: IncomingMessage,
  schema: Schema,
): Promise<z.infer<Schema>> {
  const bytes = await readBody(request, BODY);
  const problem = (message: string, field?: string) =>
    new AppError('INVALID_INPUT', message, {
      ...(field === undefined ? {} : { field }),
      suggestedFix: t`Send a JSON object as the reference of this endpoint describes it.`,
    });
  const read = schema.safeParse(bytes.length === 0 ? {} : parseRestJson(bytes, MAX_VALUES));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw problem(issue?.message ?? t`The body has another form.`, issue?.path.join('.') || undefined);
}
