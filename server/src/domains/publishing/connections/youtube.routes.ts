import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Viewer } from '../../../gql/index.ts';
import type { Route } from '../../../platform/routing.ts';
import { notSetUp } from '../services.ts';
import { beginConnecting, type ConnectTools, finishConnecting } from './connect-youtube.ts';

export interface YouTubeRoutesOptions {
  /** Null without a configured Google client. */
  readonly tools: ConnectTools | null;
  /** The account of the session. Throws UNAUTHENTICATED without a session: keys cannot give consent. */
  readonly person: (request: IncomingMessage) => Promise<Viewer>;
  /** Whether a program for downloads from YouTube is configured. */
  readonly canDownload: boolean;
  /** The settings page, to which users return. */
  readonly settingsUrl: string;
}

export const CALLBACK_PATH = '/api/youtube/callback';

/** Routes of the OAuth flow with Google, and its status for the settings page. */
export function youTubeRoutes({ tools, person, canDownload, settingsUrl }: YouTubeRoutesOptions): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/youtube/setup',
      handle: async (request, response) => {
        await person(request);
        sendJson(response, { available: tools !== null, canDownload });
      },
    },
    {
      method: 'GET',
      path: '/api/youtube/connect',
      handle: async (request, response, { url }) => {
        const { accountId } = await person(request);
        if (!tools) throw notSetUp();
        redirect(
          response,
          await beginConnecting(tools, accountId, { upload: url.searchParams.get('upload') === 'true' }),
        );
      },
    },
    {
      method: 'GET',
      path: CALLBACK_PATH,
      handle: async (request, response, { url }) => {
        const { accountId } = await person(request);
        if (!tools) throw notSetUp();
        const outcome = await finishConnecting(tools, accountId, url.searchParams);
        redirect(response, `${settingsUrl}?youtube=${outcome}`);
      },
    },
  ];
}

/** Keeps the code out of the Referer header. */
function redirect(response: ServerResponse, location: string): void {
  response
    .writeHead(302, { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'content-length': 0 })
    .end();
}

/** For the web application. */
function sendJson(response: ServerResponse, body: object): void {
  const text = JSON.stringify(body);
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
  };
  response.writeHead(200, headers).end(text);
}
