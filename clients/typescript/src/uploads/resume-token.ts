import { asRecord } from '../errors.ts';
import type { DID } from '../generated/operations.gen.ts';

/**
 * An unfinished upload. Anyone with its address can send the file: treat it as a password for as long as the upload
 * takes.
 */
export interface BegunUpload {
  readonly contentId: DID;
  /** The address that accepts the bytes. */
  readonly endpoint: string;
  readonly sizeBytes: number;
  /** Null if it could not be computed. */
  readonly fingerprint: string | null;
}

/** A text to store until the upload is complete. */
export function writeToken(upload: BegunUpload): string {
  return JSON.stringify(upload);
}

/** Throws TypeError for an invalid token. */
export function readToken(token: string): BegunUpload {
  let found: Readonly<Record<string, unknown>>;
  try {
    found = asRecord(JSON.parse(token));
  } catch {
    found = {};
  }
  const { contentId, endpoint, sizeBytes, fingerprint } = found;
  if (typeof contentId !== 'string' || typeof endpoint !== 'string' || typeof sizeBytes !== 'number')
    throw new TypeError('resumeFrom is not an upload token: pass the resumeToken of onStart.');
  return { contentId, endpoint, sizeBytes, fingerprint: typeof fingerprint === 'string' ? fingerprint : null };
}
