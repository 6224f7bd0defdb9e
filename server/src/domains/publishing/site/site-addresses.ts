import type { Config } from '../../../platform/config/config.ts';

/** Where the site's interfaces are: Google's own, or those of a proxy or stand-in that the operator has set. */
export interface SiteAddresses {
  /** The consent page, which browsers open. */
  readonly authorize: string;
  readonly token: string;
  readonly revoke: string;
  /** Base of the Data API. */
  readonly api: string;
  /** Base of the upload endpoints. */
  readonly upload: string;
}

export function readSiteAddresses(config: Config): SiteAddresses {
  return {
    authorize: config.YOUTUBE_AUTHORIZE_URL,
    token: config.YOUTUBE_TOKEN_URL,
    revoke: config.YOUTUBE_REVOKE_URL,
    api: config.YOUTUBE_API_URL,
    upload: config.YOUTUBE_UPLOAD_URL,
  };
}

/** Address of a video on the site. */
export function siteVideoUrl(videoId: string): string {
  return `https://www.youtube.com/watch?v=${videoId}`;
}

/** Address of a video in YouTube Studio. */
export function siteStudioUrl(videoId: string): string {
  return `https://studio.youtube.com/video/${videoId}/edit`;
}

export const READ_SCOPE = 'https://www.googleapis.com/auth/youtube.readonly';
export const UPLOAD_SCOPE = 'https://www.googleapis.com/auth/youtube.upload';
