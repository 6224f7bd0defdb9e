import type { StudioContentFragment } from '../../gql/generated/operations.gen.ts';
import type { ApiError } from '../../lib/api.ts';
import type { KeptUpload } from './kept-uploads.ts';

/**
 * `creating`: its content is created. `queued`: other files are sent first. `file-needed`: the file has to be selected,
 * and `consent-needed`: reading it needs a click, both after a reload. `file-changed`: it is not as it was on disk.
 * `sent`: the server has all.
 */
export type UploadPhase =
  | 'creating'
  | 'queued'
  | 'sending'
  | 'paused'
  | 'offline'
  | 'lost'
  | 'file-needed'
  | 'file-changed'
  | 'consent-needed'
  | 'failed'
  | 'sent';

/** An upload of this browser. */
export interface UploadItem extends KeptUpload {
  readonly phase: UploadPhase;
  readonly sentBytes: number;
  /** Null while that cannot be told. */
  readonly bytesPerSecond: number | null;
  readonly error: ApiError | null;
  /** Selected to continue with, but not the file whose upload was started. */
  readonly otherFile: File | null;
  /** Whether its details are open. */
  readonly editing: boolean;
  /** As last loaded; null before it is created. */
  readonly content: StudioContentFragment | null;
}

/** Whether it is neither on the server nor given up. */
export function isUnfinished({ phase }: Pick<UploadItem, 'phase'>): boolean {
  return phase !== 'sent' && phase !== 'failed';
}

/** Whether a content has a video that is watched until another file has taken its place. */
export function isReplaceable({ status }: Pick<StudioContentFragment, 'status'>): boolean {
  return status === 'READY' || status === 'PUBLISHED';
}
