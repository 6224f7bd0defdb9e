import type { IncomingMessage } from 'node:http';
import { Transform, type TransformCallback } from 'node:stream';
import { AppError } from '../../../../kernel/errors.ts';
import { t } from '../../../../kernel/languages/message.ts';
import { declareSize } from '../deferred-size.ts';
import type { Ingestion } from '../ingestions.store.ts';
import { appendBytes } from './append-bytes.ts';
import { drain } from './drain-request.ts';
import { type ReadThrough, type ReceivingTools, whileReceiving } from './receive-body.ts';

/** The bytes of a file that a request has: inclusive positions; null asks what has arrived. */
export interface SentRange {
  readonly part: { readonly start: number; readonly end: number } | null;
  /** Size of the whole file; null if it was not sent. */
  readonly total: number | null;
}

const PATTERN = /^bytes\s+(?:(\d{1,15})-(\d{1,15})|\*)\/(\d{1,15}|\*)$/i;
const FIELD = 'Content-Range';

/** The Content-Range of a request (RFC 9110 section 14.4); null without one. Throws INVALID_INPUT if malformed. */
export function sentRangeOf({ headers }: IncomingMessage): SentRange | null {
  const header = headers['content-range'];
  if (header === undefined) return null;
  const match = PATTERN.exec(header.trim());
  const [, start, end, total] = match ?? [];
  const part = start === undefined || end === undefined ? null : { start: Number(start), end: Number(end) };
  if (!match || (part && part.end < part.start))
    throw new AppError('INVALID_INPUT', t`This is not a range of bytes.`, {
      field: FIELD,
      suggestedFix: t`Send "bytes FIRST-LAST/SIZE" with each part, or "bytes */SIZE" to ask what has arrived.`,
    });
  return { part, total: total === '*' ? null : Number(total) };
}

/** What has arrived when a part is in. */
export interface ReceivedParts {
  readonly received: number;
  /** Whether that is the whole file: the upload has finished. */
  readonly isComplete: boolean;
}

/**
 * Receives one part of the file, from the first byte that is missing on; bytes that have arrived already are skipped.
 * Without a part it only counts. The last byte finishes the upload. The first part that names the size of the file
 * fixes it, where the upload was opened without one.
 * @throws AppError UPLOAD_FAILED for a part of another file, with another length, or (409) behind the next missing
 *   byte; and as `whileReceiving`.
 */
export async function putPart(
  tools: ReceivingTools,
  request: IncomingMessage,
  upload: Ingestion,
  range: SentRange,
): Promise<ReceivedParts> {
  refuseOtherFile(request, range, upload.sizeBytes ?? range.total);
  const parts =
    upload.state === 'FINISHED'
      ? { received: upload.receivedBytes, isComplete: true }
      : await whileReceiving(tools, request, upload.id, {
          receive: (current, readThrough) => receivePart(tools, current, { range, readThrough }),
          settle: async ({ isComplete }) => {
            if (isComplete) await tools.finish(upload.id);
          },
        });
  // So that the connection can be used again.
  drain(request);
  return parts;
}

interface Sent {
  readonly range: SentRange;
  readonly readThrough: ReadThrough;
}

async function receivePart(
  tools: ReceivingTools,
  current: Ingestion,
  { range: { part, total }, readThrough }: Sent,
): Promise<ReceivedParts> {
  const kept = await tools.receiving.receivedBytes(current.objectKey);
  if (part && part.start > kept)
    throw new AppError('UPLOAD_FAILED', t`The part begins at byte ${part.start}, but ${kept} bytes have arrived.`, {
      ...{ field: FIELD, httpStatus: 409, headers: rangeHeader(kept) },
      suggestedFix: t`Continue at byte ${kept}.`,
    });
  if (current.sizeBytes === null && total !== null)
    await declareSize(tools, current, { sizeBytes: total, receivedBytes: kept, field: FIELD });
  const upload = { ...current, sizeBytes: current.sizeBytes ?? total };
  const parts = (received: number) => ({ received, isComplete: received === upload.sizeBytes });
  if (!part || part.end < kept) return parts(kept);
  const body = readThrough(new PartBody(kept - part.start, part.end + 1 - kept));
  const received = await appendBytes(tools, upload, body, { offset: kept });
  if (received > part.end) return parts(received);
  throw new AppError('UPLOAD_FAILED', t`Only ${received - part.start} bytes of this part arrived.`, {
    ...{ field: 'Content-Length', headers: rangeHeader(received) },
    suggestedFix: t`Continue at byte ${received}.`,
  });
}

/** Which bytes have arrived, as `Range: bytes=0-99`; nothing if none. */
export function rangeHeader(received: number): Record<string, string> {
  return received === 0 ? {} : { range: `bytes=0-${received - 1}` };
}

/** The bytes of a part after the first `skip`, and no more than `limit` of them. */
class PartBody extends Transform {
  #skip: number;
  #limit: number;

  constructor(skip: number, limit: number) {
    super();
    this.#skip = skip;
    this.#limit = limit;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const rest = chunk.subarray(this.#skip).subarray(0, this.#limit);
    this.#skip = Math.max(0, this.#skip - chunk.length);
    this.#limit -= rest.length;
    done(null, rest);
  }
}

function refuseOtherFile({ headers }: IncomingMessage, { part, total }: SentRange, sizeBytes: number | null): void {
  if (sizeBytes !== null && ((total !== null && total !== sizeBytes) || (part && part.end >= sizeBytes)))
    throw new AppError('UPLOAD_FAILED', t`This upload was opened for a file of ${sizeBytes} bytes.`, {
      field: FIELD,
      suggestedFix: t`Send parts of exactly the file this upload was opened for, or open a new upload.`,
    });
  const declared = headers['content-length'];
  const expected = part ? part.end - part.start + 1 : 0;
  const wrong =
    declared === undefined ? part && headers['transfer-encoding'] === undefined : Number(declared) !== expected;
  if (!wrong) return;
  const message =
    declared === undefined
      ? t`The range has ${expected} bytes, but the body has none.`
      : t`The range has ${expected} bytes, but the body has ${declared}.`;
  throw new AppError('UPLOAD_FAILED', message, {
    field: 'Content-Length',
    suggestedFix: t`Send exactly the bytes that Content-Range names.`,
  });
}
