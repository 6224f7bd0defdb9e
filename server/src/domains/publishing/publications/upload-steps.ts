/**
 * The decisions of the site's protocol for uploads that can be resumed, without its I/O ("Resumable Uploads" in the
 * guides of the YouTube Data API): an upload has an address of its own; parts are sent to it in order, and it says how
 * much it has.
 */

/** How many bytes one request carries: the protocol wants multiples of 256 KiB for all parts but the last. */
export const PART_BYTES = 8 * 1024 ** 2;

/** Inclusive positions in the file. */
export interface UploadPart {
  readonly start: number;
  readonly end: number;
}

/** Where an upload is after the site has answered. */
export type UploadStep =
  | { readonly kind: 'more'; readonly nextByte: number }
  | { readonly kind: 'done'; readonly videoId: string }
  /** The site no longer has it: start another. */
  | { readonly kind: 'gone' };

/** The part that follows `nextByte`, which lies in the file. */
export function nextPart(nextByte: number, sizeBytes: number): UploadPart {
  return { start: nextByte, end: Math.min(nextByte + PART_BYTES, sizeBytes) - 1 };
}

/** The header Content-Range of a part; without one, of the question how much has arrived. */
export function contentRange(sizeBytes: number, part?: UploadPart): string {
  return `bytes ${part ? `${part.start}-${part.end}` : '*'}/${sizeBytes}`;
}

/**
 * What follows the range that the site says it has; without the header it has nothing. Null for a range that cannot be.
 */
export function byteAfter(range: string | null, sizeBytes: number): number | null {
  if (range === null) return 0;
  const last = /^bytes=0-(\d{1,15})$/.exec(range)?.[1];
  const next = last === undefined ? Number.NaN : Number(last) + 1;
  return next <= sizeBytes ? next : null;
}

/** How much of a job is done, in whole per cent: bytes are most of it, what the site does with them the rest. */
export function uploadPercent(sentBytes: number, sizeBytes: number): number {
  return Math.floor((sentBytes / sizeBytes) * SENT_PERCENT);
}

/** Progress of a job whose file has arrived at the site. */
export const SENT_PERCENT = 80;

const FIRST_LOOK_SECONDS = 10;
const LONGEST_PAUSE_SECONDS = 300;

/** The pause before the next check of a file's processing: a quarter of the time it has taken so far. */
export function lookAgainSeconds(ageMs: number): number {
  return Math.round(Math.min(LONGEST_PAUSE_SECONDS, Math.max(FIRST_LOOK_SECONDS, ageMs / 4_000)));
}
