import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

/** Writes `body` as JSON, never to be stored by caches. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: object | null,
  headers: OutgoingHttpHeaders = {},
): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    ...headers,
  });
  response.end(text);
}
