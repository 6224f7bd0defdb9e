import { createHash } from 'node:crypto';

/** The first digit of the id of a request whose frame is the poster. */
export const COMPLETE_DIGIT = 'f';

/**
 * The id of a request for a frame as poster: the same for the same frame, so that a repeated request is noticed. A
 * UUIDv8 (RFC 9562 section 5.8) whose first digit is 0.
 */
export function frameRequestId(videoAssetId: string, timeMs: number): string {
  const hex = createHash('sha256').update(`${videoAssetId} ${timeMs}`).digest('hex');
  return `0${hex.slice(1, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** The id that replaces that of a request once its frame is the poster. */
export function completeRequestId(requestId: string): string {
  return COMPLETE_DIGIT + requestId.slice(1);
}
