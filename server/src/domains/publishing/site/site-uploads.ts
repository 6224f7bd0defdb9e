import type { Readable } from 'node:stream';
import type { SiteAccess, SitePrivacyStatus } from './external-site.ts';
import type { SiteTexts } from './site-texts.ts';
import type { UploadPart, UploadStep } from './upload-steps.ts';

/** A video to upload. */
export interface OutgoingVideo extends SiteTexts {
  readonly privacyStatus: SitePrivacyStatus;
  readonly sizeBytes: number;
  readonly contentType: string;
}

/** A started upload. */
export interface UploadSession {
  /** Secret: it authorizes uploads. */
  readonly url: string;
  readonly sizeBytes: number;
}

/** Processing state of a video on the site. */
export type SiteProcessing =
  | { readonly kind: 'processing' /** In per cent, if known. */; readonly percent: number | null }
  | { readonly kind: 'processed' }
  /** In a sentence. */
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'gone' };

/**
 * The upload part of the port to the external site. Every call may throw an AppError: SERVICE_UNAVAILABLE and
 * RATE_LIMIT_EXCEEDED for transient errors, UNAUTHORIZED without permission, UPLOAD_FAILED when the site refuses the
 * file.
 */
export interface SiteUploads {
  begin(access: SiteAccess, video: OutgoingVideo, signal?: AbortSignal): Promise<UploadSession>;
  /** The offset of an upload. */
  offset(access: SiteAccess, session: UploadSession, signal?: AbortSignal): Promise<UploadStep>;
  /** Sends the next part. `open` returns exactly its bytes on each call. */
  send(
    access: SiteAccess,
    session: UploadSession,
    part: UploadPart,
    open: () => Promise<Readable>,
    signal?: AbortSignal,
  ): Promise<UploadStep>;
  processing(access: SiteAccess, videoId: string, signal?: AbortSignal): Promise<SiteProcessing>;
}
