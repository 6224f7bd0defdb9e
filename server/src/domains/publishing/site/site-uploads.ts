import type { Readable } from 'node:stream';
import type { SiteTexts } from '../publications/site-texts.ts';
import type { UploadPart, UploadStep } from '../publications/upload-steps.ts';
import type { SiteAccess, SitePrivacyStatus } from './external-site.ts';

/** A video to upload. */
export interface OutgoingVideo extends SiteTexts {
  readonly privacyStatus: SitePrivacyStatus;
  readonly sizeBytes: number;
  readonly contentType: string;
}

/** A started upload. */
export interface UploadSession {
  /** Secret: whoever has it may send to it. */
  readonly url: string;
  readonly sizeBytes: number;
}

/** What the site makes of a video it has. */
export type SiteProcessing =
  | { readonly kind: 'processing' /** Per cent, where the site tells. */; readonly percent: number | null }
  | { readonly kind: 'processed' }
  /** In a sentence. */
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'gone' };

/**
 * What sending videos asks of the external site. Every call may throw an AppError: SERVICE_UNAVAILABLE and
 * RATE_LIMIT_EXCEEDED for what passes, UNAUTHORIZED where the permission does not hold (any more), UPLOAD_FAILED for
 * what the site does not take.
 */
export interface SiteUploads {
  begin(access: SiteAccess, video: OutgoingVideo, signal?: AbortSignal): Promise<UploadSession>;
  /** How much of an upload has arrived. */
  offset(access: SiteAccess, session: UploadSession, signal?: AbortSignal): Promise<UploadStep>;
  /** Sends one part, which follows what has arrived. `open` answers exactly its bytes, each time it is called. */
  send(
    access: SiteAccess,
    session: UploadSession,
    part: UploadPart,
    open: () => Promise<Readable>,
    signal?: AbortSignal,
  ): Promise<UploadStep>;
  processing(access: SiteAccess, videoId: string, signal?: AbortSignal): Promise<SiteProcessing>;
}
