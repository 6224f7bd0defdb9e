import { restRequest } from '../../lib/session.ts';

/** What the operator has set up of YouTube. */
export interface YouTubeSetup {
  /** Whether accounts can connect their channels. */
  readonly available: boolean;
  /** Whether the server fetches the files of imported videos. */
  readonly canDownload: boolean;
}

export function readSetup(): Promise<YouTubeSetup> {
  return restRequest<YouTubeSetup>('/api/youtube/setup');
}

/** Where Google asks the person for agreement; with `upload` also to sending videos. A page, not a request. */
export function connectPath(upload: boolean): string {
  return upload ? '/api/youtube/connect?upload=true' : '/api/youtube/connect';
}

/** How connecting ended, as the server puts it into the address. */
export const OUTCOMES = {
  connected: 'YouTube is connected.',
  refused: 'Nothing was connected: you did not agree at Google.',
  expired: 'That took longer than ten minutes, or was finished already. Begin again.',
  'no-channel': 'This Google account has no channel on YouTube. Choose another one.',
  'not-enough': 'Nothing was connected: without leave to see the channel there is nothing to connect.',
  failed: 'Google could not be reached, or did not know this server. Try again; if it happens again, tell the operator.',
} as const;

export type Outcome = keyof typeof OUTCOMES;
