import { Webhook } from 'standardwebhooks';

/** The content of a delivery. */
export interface Message {
  /** Identifies the message: the same on every attempt. */
  readonly id: string;
  readonly type: string;
  /** When it happened, ISO 8601. */
  readonly occurredAt: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Whether it comes out of an order that the webhook keeps. */
  readonly isOutOfOrder?: boolean;
}

/**
 * Body of the request: `type`, `timestamp` and `data` (Standard Webhooks, "Payload structure"), and `outOfOrder` where
 * an order is not kept.
 */
export function messageBody({ type, occurredAt, data, isOutOfOrder = false }: Message): string {
  return JSON.stringify({ type, timestamp: occurredAt, data, ...(isOutOfOrder ? { outOfOrder: true } : {}) });
}

/**
 * Headers of one attempt: the signature covers id, time of the attempt and body, once for each secret that is valid
 * (Standard Webhooks, "Signature scheme"), so that a receiver may use either the new or the old one.
 */
export function messageHeaders(
  id: string,
  body: string,
  secrets: readonly string[],
  nowMs: number,
): Record<string, string> {
  const at = new Date(nowMs);
  return {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Reelgraph-Webhooks',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(nowMs / 1_000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  };
}
