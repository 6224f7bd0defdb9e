/**
 * The decisions of the site's resumable upload protocol, without I/O ("Resumable Uploads" in the guides of the YouTube
 * Data API): an upload has its own address, accepts parts in order, and returns its offset.
 */

/** Bytes per request: the protocol requires multiples of 256 KiB for all parts but the last. */
export const PART_BYTES = 8 * 1024 ** 2;

/** Inclusive positions in the file. */
export interface UploadPart {
  readonly start: number;
  readonly end: number;
}

/** State of an upload after a response. */
export type UploadStep =
  | { readonly kind: 'more'; readonly nextByte: number }
  | { readonly kind: 'done'; readonly videoId: string }
  /** The site has lost it: start another. */
  | { readonly kind: 'gone' };

/** The part at `nextByte`, which is within the file. */
export function nextPart(nextByte: number, sizeBytes: number): UploadPart {
  return { start: nextByte, end: Math.min(nextByte + PART_BYTES, sizeBytes) - 1 };
}

/** The header Content-Range of a part; without one, of a request for the offset. */
export function contentRange(sizeBytes: number, part?: UploadPart): string {
  return `bytes ${part ? `${part.start}-${part.end}` : '*'}/${sizeBytes}`;
}

/** The byte after the range that the site has; 0 without the header. Null for an invalid range. */
export function byteAfter(range: string | null, sizeBytes: number): number | null {
  if (range === null) return 0;
  const last = /^bytes=0-(\d{1,15})$/.exec(range)?.[1];
  const next = last === undefined ? Number.NaN : Number(last) + 1;
  return next <= sizeBytes ? next : null;
}

/** Progress of a job in whole per cent: mostly bytes, the rest is processing on the site. */
export function uploadPercent(sentBytes: number, sizeBytes: number): number {
  return Math.floor((sentBytes / sizeBytes) * SENT_PERCENT);
}

/** Progress of a job whose file the site has received. */
export const SENT_PERCENT = 80;

const FIRST_LOOK_SECONDS = 10;
const LONGEST_PAUSE_SECONDS = 300;

/** The pause before the next check of a file's processing: a quarter of the time it has taken so far. */
export function lookAgainSeconds(ageMs: number): number {
  return Math.round(Math.min(LONGEST_PAUSE_SECONDS, Math.max(FIRST_LOOK_SECONDS, ageMs / 4_000)));
}
