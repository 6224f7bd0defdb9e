import type { ServerResponse } from 'node:http';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { isSquare } from '../../../platform/instance/instance-settings.ts';
import type { Route } from '../../../platform/routing.ts';
import { readLogo } from './logo.ts';

const DEFAULT = '/favicon.svg';
/** Browsers and readers of feeds ask for it without a link. */
const BY_HABIT = '/favicon.ico';
const CURRENT = 'public, max-age=60';
const FOR_EVER = 'public, max-age=31536000, immutable';
/** Nothing that an image refers to is loaded, wherever it is opened. */
const POLICY = "default-src 'none'; sandbox";

/**
 * `/logo/<digest>.png`; and for pages whose HTML is the same for all servers `/logo/current`, and `/logo/icon` for the
 * icon of browser tabs, which lead to ours where operators chose none. `/favicon.ico` is that icon, too.
 */
export function logoRoutes(db: Executor): Route[] {
  const handle: Route['handle'] = async (request, response, { url }) => {
    const name = url.pathname === BY_HABIT ? 'icon' : url.pathname.slice('/logo/'.length);
    const logo = await readLogo(db);
    if (name === 'current' || name === 'icon') {
      if (!logo || (name === 'icon' && !isSquare(logo))) return redirect(response, DEFAULT);
      return send(response, logo.png, CURRENT, request.method);
    }
    if (name !== `${logo?.digest}.png` || !logo)
      throw new AppError('RESOURCE_NOT_FOUND', t`This is not the logo of the server, or no longer.`, {
        suggestedFix: t`Read instance.logo, or use /logo/current.`,
      });
    send(response, logo.png, FOR_EVER, request.method);
  };
  return ['GET', 'HEAD'].flatMap((method) => ['/logo/*', BY_HABIT].map((path) => ({ method, path, handle }) as Route));
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(302, { location, 'cache-control': CURRENT }).end();
}

function send(response: ServerResponse, png: Buffer, caching: string, method: string | undefined): void {
  response.writeHead(200, {
    ...{ 'content-type': 'image/png', 'content-length': png.length, 'cache-control': caching },
    'content-security-policy': POLICY,
  });
  response.end(method === 'HEAD' ? undefined : png);
}
