import type { Platform } from '../../../platform/platform.ts';
import { readBody } from '../../../platform/read-body.ts';
import type { Route } from '../../../platform/routing.ts';
import { sendJson } from '../../../platform/send-json.ts';
import { type UnsubscribeNeeds, unsubscribe } from './unsubscribe.ts';

export const UNSUBSCRIBE_PATH = '/api/notifications/unsubscribe';
/** The page of the web application that asks before it does so. */
export const UNSUBSCRIBE_PAGE = '/unsubscribe';
const BODY = { maxBytes: 4_096, timeoutMs: 15_000 };

/**
 * Ends messages of one kind, by the token of such a message: no session is needed. Programs that show mail send a POST
 * (RFC 8058); browsers that open the same address get the page, because looking at a link must change nothing.
 */
export function unsubscribeRoutes(platform: UnsubscribeNeeds & Pick<Platform, 'config'>): Route[] {
  const { BASE_URL } = platform.config;
  return [
    {
      method: 'POST',
      path: UNSUBSCRIBE_PATH,
      handle: async (request, response, { url }) => {
        await readBody(request, BODY);
        const kind = await unsubscribe(platform, url.searchParams.get('token') ?? '');
        sendJson(response, 200, { ok: true, kind });
      },
    },
    {
      method: 'GET',
      path: UNSUBSCRIBE_PATH,
      handle: (_request, response, { url }) => {
        const token = encodeURIComponent(url.searchParams.get('token') ?? '');
        response.writeHead(302, {
          location: `${BASE_URL}${UNSUBSCRIBE_PAGE}#token=${token}`,
          'cache-control': 'no-store',
        });
        response.end();
      },
    },
  ];
}
