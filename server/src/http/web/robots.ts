import type { Route } from '../../platform/routing.ts';

/** Pages and endpoints without anything for search engines: they need an account, or are for programs. */
const NOT_FOR_ROBOTS = ['/api/', '/graphql', '/mcp', '/oembed', '/settings/', '/studio', '/uploads'];

/** robots.txt (RFC 9309). */
export function robotsRoute(baseUrl: string): Route {
  const prefix = new URL(baseUrl).pathname.replace(/\/$/, '');
  const refused = NOT_FOR_ROBOTS.map((path) => `Disallow: ${prefix}${path}`);
  const lines = ['User-agent: *', ...refused, '', `Sitemap: ${baseUrl}/sitemap.xml`, ''];
  const body = Buffer.from(lines.join('\n'));
  return {
    method: 'GET',
    path: '/robots.txt',
    handle(_request, response) {
      response.writeHead(200, {
        'content-type': 'text/plain; charset=utf-8',
        'content-length': body.length,
        'cache-control': 'public, max-age=3600',
      });
      response.end(body);
    },
  };
}
