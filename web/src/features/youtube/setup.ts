import { t } from '../../lib/i18n.ts';
import { restRequest } from '../../lib/session.ts';

/** YouTube features set up by the operator. */
export interface YouTubeSetup {
  /** Whether accounts can connect their channels. */
  readonly available: boolean;
  /** Whether the server fetches the files of imported videos. */
  readonly canDownload: boolean;
}

export function readSetup(): Promise<YouTubeSetup> {
  return restRequest<YouTubeSetup>('/api/youtube/setup');
}

/** Path of the page that redirects to Google for consent; with `upload` including permission to publish. */
export function connectPath(upload: boolean): string {
  return upload ? '/api/youtube/connect?upload=true' : '/api/youtube/connect';
}

/** Results of connecting, by the value that the server puts into the URL. */
export const OUTCOMES = {
  connected: t`YouTube is connected.`,
  refused: t`YouTube was not connected: access was denied.`,
  expired: t`The request expired after ten minutes or was already completed. Try again.`,
  'no-channel': t`This Google account has no YouTube channel. Choose a different account.`,
  'not-enough': t`YouTube was not connected: permission to view the channel was not granted.`,
  failed: t`Google could not be reached or rejected this server. Try again. If the problem persists, contact the
    server operator.`,
} as const;

export type Outcome = keyof typeof OUTCOMES;
