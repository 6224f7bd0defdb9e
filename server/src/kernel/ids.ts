import { randomFillSync } from 'node:crypto';

/** Identifiers inside the platform are UUIDv7 strings (RFC 9562 section 5.7), branded by entity. */
export type Id<Kind extends string> = string & { readonly __kind: Kind };

export type AccountId = Id<'account'>;
export type ChannelId = Id<'channel'>;
export type ContentId = Id<'content'>;
export type IngestionId = Id<'ingestion'>;
export type VideoAssetId = Id<'video-asset'>;
export type ImageAssetId = Id<'image-asset'>;
export type JobId = Id<'job'>;

const random = new Uint8Array(4096);
let used = random.length;
let lastMs = 0;
let sequence = 0;

/**
 * A new UUIDv7: 48 bits of Unix milliseconds, then a 12-bit sequence that makes ids of one process strictly
 * increasing (RFC 9562 section 6.2, method 1), then 62 random bits.
 */
export function newId<Kind extends string>(nowMs: number = Date.now()): Id<Kind> {
  if (nowMs > lastMs) {
    lastMs = nowMs;
    sequence = 0;
  } else if (++sequence > 0xfff) {
    lastMs += 1;
    sequence = 0;
  }
  if (used + 8 > random.length) {
    randomFillSync(random);
    used = 0;
  }
  const tail = random.subarray(used, used + 8);
  used += 8;
  const time = lastMs.toString(16).padStart(12, '0');
  const seq = sequence.toString(16).padStart(3, '0');
  const hex = Array.from(tail, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const variant = ((Number.parseInt(hex.slice(0, 2), 16) & 0x3f) | 0x80).toString(16);
  // The only place that creates ids, so the cast is safe.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${seq}-${variant}${hex.slice(2, 4)}-${hex.slice(4, 16)}` as Id<Kind>;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether `value` is a UUID in the lower-case form the platform writes. */
export function isUuid(value: string): boolean {
  return UUID.test(value);
}
