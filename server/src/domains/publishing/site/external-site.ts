/**
 * What is asked of the external site; one adapter speaks the YouTube Data API v3 (youtube-site.ts). Everything that
 * comes from there is untrusted: checked for its shape and bounded in size before it reaches a caller.
 */
export interface ExternalSite {
  /** The channel that a token belongs to; null where its account has none. */
  readChannel(token: string): Promise<SiteChannel | null>;
  /** The connected channel's own uploads, newest first. */
  listVideos(
    access: SiteAccess,
    page: { readonly pageToken: string | null; readonly limit: number },
  ): Promise<SiteVideoPage>;
  /** A video of the connected channel; null for one that is not there or not its own. */
  readVideo(access: SiteAccess, videoId: string): Promise<SiteVideo | null>;
}

/** An account's way to its channel at the site. */
export interface SiteAccess {
  readonly accountId: string;
  /** Identifier of the channel there. */
  readonly channelId: string;
  /** The playlist there that holds all of its uploads. */
  readonly uploadsPlaylistId: string;
  /** Whether the person agreed to uploads. */
  readonly hasUploadScope: boolean;
  /**
   * A token that is good for a minute at least. `refused` is one that the site took no more, in whose place there is to
   * be another.
   * @throws AppError UNAUTHORIZED where the site has withdrawn the connection, SERVICE_UNAVAILABLE where it does not
   * answer.
   */
  token(refused?: string): Promise<string>;
}

export interface SiteChannel {
  readonly id: string;
  readonly title: string;
  readonly thumbnailUrl: string | null;
  readonly uploadsPlaylistId: string;
}

export const PRIVACY_STATUSES = ['PUBLIC', 'UNLISTED', 'PRIVATE'] as const;
export type SitePrivacyStatus = (typeof PRIVACY_STATUSES)[number];

/** A video as the site tells of it. */
export interface SiteVideo {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly tags: readonly string[];
  /** ISO 8601; null while it is not published there. */
  readonly publishedAt: string | null;
  /** Null where the site does not know it yet. */
  readonly durationMs: number | null;
  readonly thumbnailUrl: string | null;
  readonly privacyStatus: SitePrivacyStatus;
  /** A live stream that runs or is to come: there is no file of it. */
  readonly isLive: boolean;
  /** Where it is watched there. */
  readonly url: string;
}

export interface SiteVideoPage {
  readonly videos: readonly SiteVideo[];
  readonly nextPageToken: string | null;
  /** As the site counts them; videos that are being deleted there are among them. */
  readonly totalCount: number;
}

/** Whether a text can be the identifier of a video: it becomes part of addresses and of a command line. */
export function isVideoId(text: string): boolean {
  return /^[A-Za-z0-9_-]{11}$/.test(text);
}
