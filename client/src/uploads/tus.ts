import { type Endpoint, noAnswer, type Send } from '../request/endpoint.ts';
import { asRecord, NetworkError, ReelgraphError, readErrors } from '../request/errors.ts';
import { DEFAULT_RETRY, pauseMs, type RetryOptions, retryAfterMs } from '../retry/backoff.ts';
import { mayPass } from '../retry/retrying.ts';
import { sleep } from '../retry/timing.ts';
import { nextChunkBytes } from './progress.ts';
import type { UploadSource } from './source.ts';

/** How the bytes are sent. */
export interface Sending {
  /** The upload's address, which is its own permission. */
  readonly url: string;
  readonly signal: AbortSignal | undefined;
  /** `maxAttempts` counts failures in a row, without a byte between them. */
  readonly retry: RetryOptions;
  /** The most that is sent at a time. */
  readonly maxChunkBytes: number;
  /** Called with what is confirmed now, and what of it came with this part, in how long. */
  readonly onConfirmed: (offset: number, bytes: number, ms: number) => void;
  /** Called when something failed that is tried again in `pauseMs`. */
  readonly onDisconnect: ((error: unknown, pauseMs: number) => void) | undefined;
}

/** A proxy's time limit is longer than this for nothing that is alive. */
const ASK_MS = 30_000;
/** A part aims at two seconds: after so long the connection has died without a word, or got slow, and what arrived of the part is kept. */
const PART_MS = 60_000;
const FIRST_CHUNK = 1024 * 1024;
const TUS = { 'tus-resumable': '1.0.0' };

/** The pauses of uploads: about ten minutes of failures in a row before they give up. */
export const UPLOAD_RETRY: RetryOptions = { ...DEFAULT_RETRY, maxAttempts: 30 };

/**
 * Sends what is missing (tus 1.0.0): asks how far the upload is, then part after part. After a broken connection it asks again and
 * continues there. Throws ReelgraphError when the platform refuses, NetworkError when it stays away.
 */
export async function sendFile(endpoint: Endpoint, source: UploadSource, sending: Sending): Promise<void> {
  const { sizeBytes } = source;
  let offset: number | null = null;
  /** The furthest that was confirmed: only an answer beyond it says that bytes arrived of a part that failed. */
  let reached = 0;
  let chunk = Math.min(FIRST_CHUNK, sending.maxChunkBytes);
  for (let failures = 0; offset === null || offset < sizeBytes; ) {
    try {
      if (offset === null) {
        offset = await askOffset(endpoint, sending);
        if (offset > reached) failures = 0;
        reached = Math.max(reached, offset);
        sending.onConfirmed(offset, 0, 0);
        continue;
      }
      const startedMs = performance.now();
      const end = Math.min(sizeBytes, offset + chunk);
      const confirmed: number = await sendPart(endpoint, sending, offset, await source.read(offset, end));
      const tookMs = performance.now() - startedMs;
      chunk = nextChunkBytes(end - offset, tookMs, sending.maxChunkBytes);
      sending.onConfirmed(confirmed, confirmed - offset, tookMs);
      offset = confirmed;
      reached = Math.max(reached, confirmed);
      failures = 0;
    } catch (error) {
      sending.signal?.throwIfAborted();
      failures += 1;
      if (!canContinue(error) || failures >= sending.retry.maxAttempts) throw error;
      offset = null;
      chunk = Math.max(64 * 1024, Math.floor(chunk / 2));
      const pause = pauseMs(failures, sending.retry, error.retryAfterMs);
      sending.onDisconnect?.(error, pause);
      await sleep(pause, sending.signal);
    }
  }
}

/** 409 and 423 say that somebody else is, or was, sending: the offset is asked for again. */
function canContinue(error: unknown): error is ReelgraphError | NetworkError {
  if (!(error instanceof ReelgraphError || error instanceof NetworkError)) return false;
  return error.status === 409 || error.status === 423 || mayPass(error);
}

function askOffset(endpoint: Endpoint, { url, signal }: Sending): Promise<number> {
  return ask(endpoint, { url, method: 'HEAD', headers: TUS, timeoutMs: ASK_MS, signal, withKey: false });
}

function sendPart(endpoint: Endpoint, { url, signal }: Sending, offset: number, part: Blob | Uint8Array<ArrayBuffer>): Promise<number> {
  const headers = { ...TUS, 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) };
  // A Blob that has a type of its own would replace the one of the header in some browsers.
  const body = part instanceof Blob && part.type !== '' ? part.slice(0, part.size) : part;
  return ask(endpoint, { url, method: 'PATCH', headers, body, timeoutMs: PART_MS, signal, withKey: false });
}

/** The offset that the answer tells. */
function ask(endpoint: Endpoint, request: Send): Promise<number> {
  return endpoint.send(request, async (response) => {
    const offset = Number(response.headers.get('upload-offset') ?? 'none');
    if (response.ok && Number.isSafeInteger(offset)) return offset;
    throw await refusalOf(response, request.method);
  });
}

async function refusalOf(response: Response, method: string): Promise<Error> {
  const text = await response.text().catch(() => '');
  const errors = readErrors(asRecord(parsed(text)).errors);
  // The answer to HEAD has no body: the status is all there is.
  if (errors.length === 0 && !(method === 'HEAD' && response.status >= 400 && response.status < 500)) return noAnswer(response);
  return new ReelgraphError({
    errors: errors.length > 0 ? errors : [goneError(response.status)],
    status: response.status,
    requestId: response.headers.get('x-request-id'),
    data: null,
    retryAfterMs: retryAfterMs(response.headers.get('retry-after'), Date.now()),
  });
}

function goneError(status: number) {
  return {
    message: `This upload cannot be continued (status ${status}): it ended, expired, or is not known.`,
    code: status === 429 ? 'RATE_LIMIT_EXCEEDED' : status === 401 || status === 410 ? 'TOKEN_EXPIRED' : 'UPLOAD_FAILED',
    errorType: 'UploadError',
    field: undefined,
    suggestedFix: 'Begin a new upload of the file.',
    documentation: '',
    path: undefined,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
