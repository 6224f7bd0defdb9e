import type { ByteRange } from '../../../platform/storage/object-store.ts';

/** The range that a Range header requests of an object of `sizeBytes`: all, a part, or an unsatisfiable one. */
export type RangeRequest =
  | { readonly kind: 'whole' }
  | { readonly kind: 'part'; readonly range: ByteRange }
  | { readonly kind: 'unsatisfiable' };

const WHOLE: RangeRequest = { kind: 'whole' };

/**
 * RFC 9110 section 14.1.2. Malformed headers, other units and lists of ranges get the whole object (section 14.2 allows
 * it).
 */
export function parseRange(header: string | undefined, sizeBytes: number): RangeRequest {
  const match = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i.exec(header ?? '');
  if (!match) return WHOLE;
  const [, first = '', last = ''] = match;
  if (first === '' && last === '') return WHOLE;
  if (first === '') {
    const suffix = Number(last);
    if (suffix === 0 || sizeBytes === 0) return { kind: 'unsatisfiable' };
    return { kind: 'part', range: { start: Math.max(0, sizeBytes - suffix), end: sizeBytes - 1 } };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return WHOLE;
  if (start >= sizeBytes) return { kind: 'unsatisfiable' };
  return { kind: 'part', range: { start, end: last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1) } };
}

/** Whether If-None-Match (RFC 9110 section 13.1.2) names `etag`; comparison is weak. */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  const bare = (tag: string): string => tag.trim().replace(/^W\//, '');
  return header.split(',').some((tag) => bare(tag) === bare(etag));
}

/**
 * Whether If-Range (section 13.1.5) matches, so that a part may be sent. Comparison is strong; dates compare to the
 * second.
 */
export function ifRangeHolds(header: string | undefined, etag: string, modifiedAtMs: number): boolean {
  if (header === undefined) return true;
  const value = header.trim();
  if (value.startsWith('"')) return value === etag;
  if (value.startsWith('W/')) return false;
  return Date.parse(value) === Math.floor(modifiedAtMs / 1_000) * 1_000;
}
