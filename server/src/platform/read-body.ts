import type { IncomingMessage } from 'node:http';
import { AppError } from '../kernel/errors.ts';
import { type Text, t } from '../kernel/languages/message.ts';
import { Deadlines } from './waiting/deadlines.ts';

/** How much of a body is read, and for how long. */
export interface BodyLimits {
  readonly maxBytes: number;
  /** Time from here to the last byte. */
  readonly timeoutMs: number;
  /** Suggested fix when the limit is too small; default: send a smaller body. */
  readonly suggestedFix?: Text;
}

/** Bytes beyond the limit that are read and discarded, so that the client receives the response. */
const DISCARD_BYTES = 8 * 1024 * 1024;
const DISCARD_MS = 3_000;

const deadlines = new Deadlines();

/**
 * Reads a whole body into memory. Throws AppError INVALID_INPUT with status 413 beyond `maxBytes` (at once where
 * Content-Length says so) and 408 beyond
 * `timeoutMs`, and a plain Error when the client goes away.
 */
export function readBody(request: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const declared = Number(request.headers['content-length'] ?? 0);
    if (declared > limits.maxBytes) throw tooLarge(limits);
    const chunks: Buffer[] = [];
    let size = 0;
    let deadline = deadlines.start(limits.timeoutMs, () => fail(tooSlow(limits.timeoutMs)));
    const fail = (error: Error) => {
      deadlines.end(deadline);
      request.off('data', take).off('end', end).off('error', fail).off('close', gone);
      reject(error);
    };
    const take = (chunk: Buffer) => {
      const before = size;
      size += chunk.length;
      if (size <= limits.maxBytes) {
        chunks.push(chunk);
        return;
      }
      chunks.length = 0;
      if (size > limits.maxBytes + DISCARD_BYTES) return fail(tooLarge(limits));
      if (before > limits.maxBytes) return;
      deadlines.end(deadline);
      deadline = deadlines.start(DISCARD_MS, () => fail(tooLarge(limits)));
    };
    // The listeners stay: no events follow the end, and removing them costs more.
    const end = () => {
      if (size > limits.maxBytes) return fail(tooLarge(limits));
      deadlines.end(deadline);
      resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)); // length is 1
    };
    const gone = () => {
      if (!request.readableEnded) fail(new Error('The client closed the connection before the body was complete.'));
    };
    request.on('data', take).on('end', end).on('error', fail).on('close', gone);
  });
}

function tooLarge({ maxBytes, suggestedFix }: BodyLimits): AppError {
  return new AppError('INVALID_INPUT', t`The body is larger than ${maxBytes} bytes.`, {
    httpStatus: 413,
    suggestedFix:
      suggestedFix ??
      t`Send a smaller body: pass values in variables, split the operation, and send files to the upload endpoint.`,
  });
}

function tooSlow(timeoutMs: number): AppError {
  return new AppError('INVALID_INPUT', t`The body was not complete within ${timeoutMs / 1000} seconds.`, {
    suggestedFix: t`Send the body at once, with the Content-Length it has.`,
    httpStatus: 408,
  });
}
