import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { html } from '../../kernel/html.ts';
import type { Failure } from '../errors.ts';
import { pageHeaders } from '../security-headers.ts';
import { wantsHtml } from './media-types.ts';
import { pageShell } from './page-shell.ts';

/** Whether the request is a browser navigation, not a program or a script. */
export function isVisit({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): boolean {
  return (method === 'GET' || method === 'HEAD') && wantsHtml(headers.accept);
}

/** An error as a page, with the same data as in JSON; `site`: name of the server. */
export function sendFailurePage(
  response: ServerResponse,
  { error, status, headers }: Failure,
  { requestId, site }: { readonly requestId: string; readonly site: string },
): void {
  const { message, code, suggestedFix } = error;
  const body = html`
    <p class="crumbs">${status} ${STATUS_CODES[status] ?? ''}</p>
    <h1>${message}</h1>
    <p class="lead">${suggestedFix}</p>
    <ul class="related">
      <li><a href="/">Home</a></li>
      <li><a href="/docs">Documentation</a></li>
      <li><a href="/docs/errors/${code.toLowerCase()}"><code>${code}</code></a></li>
    </ul>
    <p class="foot">Request ID <code>${requestId}</code></p>`;
  const { text } = pageShell({ title: message, site, body });
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    ...pageHeaders({ html: text }),
    ...headers,
  });
  response.end(text);
}
