/** Google's addresses. Tests use those of a local server. */
export interface SiteAddresses {
  /** The consent page. */
  readonly authorize: string;
  readonly token: string;
  readonly revoke: string;
  /** Base of the Data API. */
  readonly api: string;
  /** Base of the upload endpoints. */
  readonly upload: string;
  /** Base of watch pages; the identifier follows. */
  readonly watch: string;
}

/**
 * The addresses that Google documents ("Using OAuth 2.0 for Web Server Applications", "YouTube Data API Reference").
 */
export const GOOGLE_ADDRESSES: SiteAddresses = {
  authorize: 'https://accounts.google.com/o/oauth2/v2/auth',
  token: 'https://oauth2.googleapis.com/token',
  revoke: 'https://oauth2.googleapis.com/revoke',
  api: 'https://www.googleapis.com/youtube/v3',
  upload: 'https://www.googleapis.com/upload/youtube/v3',
  watch: 'https://www.youtube.com/watch?v=',
};

export const READ_SCOPE = 'https://www.googleapis.com/auth/youtube.readonly';
export const UPLOAD_SCOPE = 'https://www.googleapis.com/auth/youtube.upload';
