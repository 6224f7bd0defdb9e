import { asRecord } from '../errors.ts';
import type { WebhookEventType } from '../generated/event-types.gen.ts';
import type { DID } from '../generated/operations.gen.ts';

/** A message of a webhook, verified. */
export interface WebhookMessage {
  /** The same on every attempt of a message: store it to detect duplicates. */
  readonly id: string;
  readonly type: WebhookEventType | 'webhook.test' | (string & {});
  /** When it happened, ISO 8601. */
  readonly timestamp: string;
  readonly data: {
    /** The event. */
    readonly id: DID;
    readonly channel: DID;
    /** The object it concerns. */
    readonly subject: DID;
    readonly payload: Readonly<Record<string, unknown>>;
  };
  /** Set where the order that the webhook keeps is broken: an earlier message comes later, or came too late. */
  readonly outOfOrder?: true;
}

/** Why a message is not trusted. */
export type WebhookFault = 'incomplete' | 'too-old' | 'too-new' | 'forged' | 'malformed';

export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly reason: WebhookFault;

  constructor(reason: WebhookFault, message: string) {
    super(message);
    this.reason = reason;
  }
}

export interface VerifyOptions {
  /** Maximum difference between the time of the attempt and now, either way (default: 300). */
  readonly toleranceSeconds?: number;
  /** The current time, in ms since 1970. */
  readonly nowMs?: number;
}

/** Headers of a request, in any form. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

const TOLERANCE_SECONDS = 300;

/**
 * Verifies a webhook message (Standard Webhooks, HMAC-SHA256) and returns it. `body` is the raw body, not parsed and
 * serialized again. While a secret is being rotated, pass both. Throws WebhookVerificationError; TypeError for an
 * invalid secret.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  options: VerifyOptions = {},
): Promise<WebhookMessage> {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature');
  requireRecent(timestamp, options);
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const signed = bytesOf(`${id}.${timestamp}.${text}`);
  const keys = await Promise.all((typeof secrets === 'string' ? [secrets] : secrets).map(importSecret));
  if (!(await isSigned(signed, signatures, keys)))
    throw new WebhookVerificationError('forged', 'No signature matches the message.');
  return { id, ...readMessage(text) };
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : caseless(headers, name);
  if (typeof value === 'string' && value !== '') return value;
  throw new WebhookVerificationError('incomplete', `The header ${name} is missing.`);
}

function caseless(headers: Exclude<WebhookHeaders, Headers>, name: string): unknown {
  return headers[name] ?? Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
}

function requireRecent(
  timestamp: string,
  { toleranceSeconds = TOLERANCE_SECONDS, nowMs = Date.now() }: VerifyOptions,
): void {
  if (!/^\d{1,12}$/.test(timestamp))
    throw new WebhookVerificationError('incomplete', 'The header webhook-timestamp is not a time.');
  const age = nowMs / 1_000 - Number(timestamp);
  if (age > toleranceSeconds) throw new WebhookVerificationError('too-old', `The message is ${Math.round(age)} s old.`);
  if (age < -toleranceSeconds)
    throw new WebhookVerificationError('too-new', `The message is from ${Math.round(-age)} s ahead; check the clocks.`);
}

/** Web Crypto compares in constant time. */
async function isSigned(
  signed: Uint8Array<ArrayBuffer>,
  signatures: string,
  keys: readonly Secret[],
): Promise<boolean> {
  let found = false;
  for (const signature of signatures.split(' ')) {
    const [version, value = ''] = signature.split(',', 2);
    const bytes = version === 'v1' ? fromBase64(value) : null;
    if (bytes === null) continue;
    for (const key of keys) found = (await crypto.subtle.verify('HMAC', key, bytes, signed)) || found;
  }
  return found;
}

type Secret = Awaited<ReturnType<typeof importSecret>>;

async function importSecret(secret: string) {
  const bytes = fromBase64(secret.replace(/^whsec_/, ''));
  if (bytes === null || bytes.length === 0)
    throw new TypeError('A secret of a webhook has the form whsec_… (Webhook.secret).');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new TextEncoder().encode(text));
}

function readMessage(text: string): Omit<WebhookMessage, 'id'> {
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    found = null;
  }
  const { type, timestamp, data, outOfOrder } = asRecord(found);
  const { id, channel, subject, payload } = asRecord(data);
  if ([type, timestamp, id, channel, subject].some((value) => typeof value !== 'string'))
    throw new WebhookVerificationError('malformed', 'The message is signed, but it is not a message of this platform.');
  // Checked above.
  const message = { type, timestamp, data: { id, channel, subject, payload: asRecord(payload) } };
  return { ...message, ...(outOfOrder === true && { outOfOrder }) } as Omit<WebhookMessage, 'id'>;
}
