import { randomBytes, randomFillSync } from 'node:crypto';

/** Identifiers inside the platform are UUIDv7 strings (RFC 9562 section 5.7), branded by entity. */
export type Id<Kind extends string> = string & { readonly __kind: Kind };

export type AccountId = Id<'account'>;
export type ChannelId = Id<'channel'>;
export type ContentId = Id<'content'>;
export type IngestionId = Id<'ingestion'>;
export type VideoAssetId = Id<'video-asset'>;
export type ImageAssetId = Id<'image-asset'>;
export type JobId = Id<'job'>;

const random = randomBytes(4096);
let used = 0;
let lastMs = 0;
let sequence = 0;
/** The bytes of the id that is being made. */
const bytes = Buffer.alloc(16);

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
  bytes.writeUIntBE(lastMs, 0, 6);
  bytes.writeUInt16BE(0x7000 | sequence, 6);
  random.copy(bytes, 8, used, used + 8);
  used += 8;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  const parts = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  return parts as Id<Kind>; // the only place that creates ids
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether `value` is a UUID in the lower-case form the platform writes. */
export function isUuid(value: string): boolean {
  return UUID.test(value);
}
