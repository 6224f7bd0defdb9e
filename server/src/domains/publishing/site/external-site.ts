/**
 * The port to the external site; its adapter uses the YouTube Data API v3 (youtube-site.ts). All responses are
 * untrusted: validated and bounded in size before they reach a caller.
 */
export interface ExternalSite {
  /** The channel of a token's account; null when it has none. */
  readChannel(token: string): Promise<SiteChannel | null>;
  /** The connected channel's own uploads, newest first. */
  listVideos(
    access: SiteAccess,
    page: { readonly pageToken: string | null; readonly limit: number },
  ): Promise<SiteVideoPage>;
  /** A video of the connected channel; null for a missing one or one of another channel. */
  readVideo(access: SiteAccess, videoId: string): Promise<SiteVideo | null>;
}

/** An account's access to its channel on the site. */
export interface SiteAccess {
  readonly accountId: string;
  /** Identifier of the channel on the site. */
  readonly channelId: string;
  /** The site's playlist of all its uploads. */
  readonly uploadsPlaylistId: string;
  /** Whether the consent includes uploads. */
  readonly hasUploadScope: boolean;
  /**
   * A token that is valid for at least a minute. `refused` is a token that the site has refused and that is replaced.
   * @throws AppError UNAUTHORIZED when the connection was revoked, SERVICE_UNAVAILABLE when the site does not respond.
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

/** Metadata of a video on the site. */
export interface SiteVideo {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly tags: readonly string[];
  /** ISO 8601; null while unpublished. */
  readonly publishedAt: string | null;
  /** Null while unknown. */
  readonly durationMs: number | null;
  /** The same as ISO 8601 text. */
  readonly duration: string | null;
  /** Null if the site does not say. */
  readonly viewCount: number | null;
  readonly channelTitle: string | null;
  readonly thumbnailUrl: string | null;
  readonly privacyStatus: SitePrivacyStatus;
  /** A current or scheduled live stream, which has no file. */
  readonly isLive: boolean;
  /** Its watch page. */
  readonly url: string;
}

export interface SiteVideoPage {
  readonly videos: readonly SiteVideo[];
  readonly nextPageToken: string | null;
  /** As counted by the site, including videos that are being deleted. */
  readonly totalCount: number;
}

/** Whether a text is a valid video identifier: it becomes part of addresses and of a command line. */
export function isVideoId(text: string): boolean {
  return /^[A-Za-z0-9_-]{11}$/.test(text);
}
