import type { Platform } from '../../../platform/platform.ts';
import type { Route } from '../../../platform/routing.ts';
import { resolveShortAddress } from './resolve-short-address.ts';

const KEEP_SECONDS = 300;

/** Short addresses, which lead to the page of a content and keep what the query says, such as a start time. */
export function shortAddressRoutes({ db }: Pick<Platform, 'db'>): Route[] {
  return (['GET', 'HEAD'] as const).map((method) => ({
    method,
    path: '/w/:code',
    handle: async (_request, response, { params, url }) => {
      const path = await resolveShortAddress(db, params.code ?? '');
      response.writeHead(302, {
        location: `${path}${url.search}`,
        'cache-control': `public, max-age=${KEEP_SECONDS}`,
        'content-length': 0,
      });
      response.end();
    },
  }));
}
