import type { IncomingMessage } from 'node:http';
import { AppError } from '../kernel/errors.ts';
import { Deadlines } from './deadlines.ts';
import { HttpError } from './errors.ts';
import { requireModestJson } from './json-shape.ts';

export interface BodyLimits {
  readonly maxBytes: number;
  /** Time from here to the last byte. */
  readonly timeoutMs: number;
  /** What to do where that is too little, in place of a smaller body. */
  readonly suggestedFix?: string;
}

/** Bytes beyond the limit that are read and dropped, so that the client gets to see the answer. */
const DISCARD_BYTES = 8 * 1024 * 1024;
const DISCARD_MS = 3_000;

const deadlines = new Deadlines();

/**
 * Reads a whole body into memory. Throws HttpError 413 beyond `maxBytes` (at once where Content-Length says so), 408 beyond `timeoutMs`, and a plain Error
 * when the client goes away.
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
    // The listeners stay: nothing of interest comes after the end, and taking them off costs more.
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

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** A body that was read: its value, and how long it was. */
export interface JsonBody {
  readonly value: unknown;
  readonly bytes: number;
}

/**
 * A body as JSON. Refuses other content types (415), compressed bodies (415), what is too long (413), what is no UTF-8, no JSON or nested too
 * deeply (400).
 */
export async function readJson(request: IncomingMessage, limits: BodyLimits): Promise<JsonBody> {
  requireJson(request);
  const bytes = await readBody(request, limits);
  requireModestJson(bytes);
  if (bytes.length === 0)
    throw new AppError('FIELD_REQUIRED', 'The request has no body.', { suggestedFix: 'Send a JSON object as the body.' });
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch (cause) {
    throw new AppError('INVALID_INPUT', 'The body is not valid UTF-8.', { suggestedFix: 'Encode the JSON body as UTF-8.', cause });
  }
  try {
    return { value: JSON.parse(text), bytes: bytes.length };
  } catch (cause) {
    // The parser's message quotes the body; the position is enough, and harmless.
    const where = cause instanceof Error ? (/at position \d+(?: \(line \d+ column \d+\))?/.exec(cause.message)?.[0] ?? 'at its end') : '';
    throw new AppError('INVALID_INPUT', `The body is not valid JSON: it breaks off or goes wrong ${where}.`, {
      suggestedFix: 'Send one complete JSON object; check quotes, commas and shell escaping.',
    });
  }
}

/** Throws unless the content type is application/json, in UTF-8 if it says so, without a content coding. */
function requireJson(request: IncomingMessage): void {
  const type = request.headers['content-type'];
  if (type !== 'application/json') {
    const [media, ...parameters] = (type ?? '')
      .toLowerCase()
      .split(';')
      .map((part) => part.trim());
    const charset = parameters
      .find((parameter) => parameter.startsWith('charset='))
      ?.slice(8)
      .replaceAll('"', '');
    if (media !== 'application/json' || (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8')) {
      throw new HttpError(
        415,
        'INVALID_INPUT',
        type ? `The content type ${type.slice(0, 80)} is not accepted here.` : 'The content type is missing.',
        {
          suggestedFix: 'Send the header "Content-Type: application/json" and a JSON body in UTF-8.',
          headers: { 'accept-post': 'application/json' },
        },
      );
    }
  }
  const coding = request.headers['content-encoding'];
  if (coding !== undefined && coding !== 'identity') {
    throw new HttpError(415, 'INVALID_INPUT', `The content encoding ${coding.slice(0, 40)} is not accepted here.`, {
      suggestedFix: 'Send the body uncompressed.',
      headers: { 'accept-encoding': 'identity' },
    });
  }
}

function tooLarge({ maxBytes, suggestedFix }: BodyLimits): HttpError {
  return new HttpError(413, 'INVALID_INPUT', `The body is larger than ${maxBytes} bytes.`, {
    suggestedFix:
      suggestedFix ?? 'Send a smaller body: pass values in variables, split the operation, and send files to the upload endpoint.',
  });
}

function tooSlow(timeoutMs: number): HttpError {
  return new HttpError(408, 'INVALID_INPUT', `The body was not complete within ${timeoutMs / 1000} seconds.`, {
    suggestedFix: 'Send the body at once, with the Content-Length it has.',
    headers: { connection: 'close' },
  });
}
