import { createHmac } from 'node:crypto';
import type { Event } from '../../../clients/typescript/src/index.ts';
import { patternOf } from '../event-patterns.ts';

/** As long as the platform waits for a receiver. */
const TIMEOUT_MS = 10_000;

/** Where to send messages and how to sign them. */
export interface Receiver {
  readonly receiver: string;
  /** `whsec_` and base64. */
  readonly secret: string;
  readonly signal: AbortSignal;
}

/** How the receiver responded. */
export interface Attempt {
  readonly responseStatus: number | null;
  readonly durationMs: number;
  /** Null after a response of 2xx. */
  readonly error: string | null;
}

/**
 * Sends an event as a webhook does (docs/events.md): the same body and headers, and a signature of Standard Webhooks.
 * `webhook-id` is the same every time that an event is sent.
 */
export async function forwardEvent(event: Event, { receiver, secret, signal }: Receiver): Promise<Attempt> {
  const { id, channelId: channel, subject, payload } = event;
  const data = { id, channel, subject, payload };
  const body = JSON.stringify({ type: patternOf(event.type), timestamp: event.createdAt, data });
  const startedMs = performance.now();
  const took = () => Math.round(performance.now() - startedMs);
  try {
    const response = await fetch(receiver, {
      method: 'POST',
      headers: signedHeaders(id.slice(-36), body, secret, Date.now()),
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    await response.body?.cancel();
    const { ok, status } = response;
    return { responseStatus: status, durationMs: took(), error: ok ? null : `The receiver responded with ${status}.` };
  } catch (error) {
    return { responseStatus: null, durationMs: took(), error: reasonOf(error) };
  }
}

/** Standard Webhooks, "Signature scheme". */
function signedHeaders(id: string, body: string, secret: string, nowMs: number): Record<string, string> {
  const timestamp = String(Math.floor(nowMs / 1_000));
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Reelgraph-Webhooks',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `The receiver did not respond within ${TIMEOUT_MS / 1_000} s.`;
  const { cause } = error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : error.message;
  return code === 'ECONNREFUSED' ? 'Nothing listens at this address.' : `The receiver is unreachable: ${code}.`;
}
