import { asRecord, type ErrorDetail, NetworkError, ReelgraphError, readErrors } from '../errors.ts';
import { type Endpoint, noAnswer, type Send } from '../request/endpoint.ts';
import { DEFAULT_RETRY, pauseMs, type RetryOptions, retryAfterMs } from '../retry/backoff.ts';
import { mayPass } from '../retry/retrying.ts';
import { sleep } from '../retry/timing.ts';
import { nextChunkBytes } from './progress.ts';
import type { UploadSource } from './source.ts';

/** Options of an upload. */
export interface Sending {
  /** The address of the upload, which is its own permission. */
  readonly url: string;
  readonly signal: AbortSignal | undefined;
  /** `maxAttempts` counts consecutive failures without a byte between them. */
  readonly retry: RetryOptions;
  /** Largest part to send at a time. */
  readonly maxChunkBytes: number;
  /** Called with the confirmed offset, the bytes of this part and how long it took. */
  readonly onConfirmed: (offset: number, bytes: number, ms: number) => void;
  /** Called after a failure; the next attempt is in `pauseMs`. */
  readonly onDisconnect: ((error: unknown, pauseMs: number) => void) | undefined;
}

/** Proxies close connections that are silent for longer. */
const ASK_MS = 30_000;
/**
 * A part aims at two seconds: after this long the connection is dead or too slow; the bytes of the part that arrived
 * are kept.
 */
const PART_MS = 60_000;
const FIRST_CHUNK = 1024 * 1024;
const TUS = { 'tus-resumable': '1.0.0' };

/** The pauses of uploads: about ten minutes of consecutive failures before giving up. */
export const UPLOAD_RETRY: RetryOptions = { ...DEFAULT_RETRY, maxAttempts: 30 };

/**
 * Sends the missing bytes (tus 1.0.0): reads the offset, then sends part after part. After a lost connection it reads
 * the offset and resumes there. Throws ReelgraphError when the platform rejects the upload, NetworkError when it stays
 * unreachable.
 */
export async function sendFile(endpoint: Endpoint, source: UploadSource, sending: Sending): Promise<void> {
  const { sizeBytes } = source;
  let offset: number | null = null;
  /** The highest confirmed offset: only a higher one shows that bytes of a failed part arrived. */
  let reached = 0;
  let chunk = Math.min(FIRST_CHUNK, sending.maxChunkBytes);
  for (let failures = 0; offset === null || offset < sizeBytes; ) {
    try {
      if (offset === null) {
        offset = await requestOffset(endpoint, sending);
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

/** 409 and 423: another client is or was sending; the offset is read again. */
function canContinue(error: unknown): error is ReelgraphError | NetworkError {
  if (!(error instanceof ReelgraphError || error instanceof NetworkError)) return false;
  return error.status === 409 || error.status === 423 || mayPass(error);
}

function requestOffset(endpoint: Endpoint, { url, signal }: Sending): Promise<number> {
  return ask(endpoint, { url, method: 'HEAD', headers: TUS, timeoutMs: ASK_MS, signal, withKey: false });
}

function sendPart(
  endpoint: Endpoint,
  { url, signal }: Sending,
  offset: number,
  part: Blob | Uint8Array<ArrayBuffer>,
): Promise<number> {
  const headers = { ...TUS, 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) };
  // The type of a Blob would override the header in some browsers.
  const body = part instanceof Blob && part.type !== '' ? part.slice(0, part.size) : part;
  return ask(endpoint, { url, method: 'PATCH', headers, body, timeoutMs: PART_MS, signal, withKey: false });
}

/** The offset of the response. */
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
  // The response to HEAD has no body: only the status is known.
  if (errors.length === 0 && !(method === 'HEAD' && response.status >= 400 && response.status < 500))
    return noAnswer(response);
  return new ReelgraphError({
    errors: errors.length > 0 ? errors : [goneError(response.status)],
    status: response.status,
    requestId: response.headers.get('x-request-id'),
    data: null,
    retryAfterMs: retryAfterMs(response.headers.get('retry-after'), Date.now()),
  });
}

function goneError(status: number): ErrorDetail {
  return {
    message: `This upload cannot be resumed (status ${status}): it ended, expired or is unknown.`,
    code: status === 429 ? 'RATE_LIMIT_EXCEEDED' : status === 401 || status === 410 ? 'TOKEN_EXPIRED' : 'UPLOAD_FAILED',
    errorType: 'UploadError',
    field: undefined,
    suggestedFix: 'Start a new upload of the file.',
    documentation: '',
    retryable: status === 429,
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
