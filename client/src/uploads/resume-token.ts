import type { DID } from '../generated/operations.gen.ts';
import { asRecord } from '../request/errors.ts';

/** An upload that was begun. Whoever has its address may send the file: keep it like a password, for as long as the upload takes. */
export interface BegunUpload {
  readonly contentId: DID;
  /** The address that takes the bytes. */
  readonly endpoint: string;
  readonly sizeBytes: number;
  /** Null where it could not be made. */
  readonly fingerprint: string | null;
}

/** A text to be kept until the upload has ended. */
export function writeToken(upload: BegunUpload): string {
  return JSON.stringify(upload);
}

/** Throws TypeError for a text that is no such token. */
export function readToken(token: string): BegunUpload {
  let found: Readonly<Record<string, unknown>>;
  try {
    found = asRecord(JSON.parse(token));
  } catch {
    found = {};
  }
  const { contentId, endpoint, sizeBytes, fingerprint } = found;
  if (typeof contentId !== 'string' || typeof endpoint !== 'string' || typeof sizeBytes !== 'number')
    throw new TypeError('resumeFrom is no token of an upload: give the text that onStart told.');
  return { contentId, endpoint, sizeBytes, fingerprint: typeof fingerprint === 'string' ? fingerprint : null };
}
