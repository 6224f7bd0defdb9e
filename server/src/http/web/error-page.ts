import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { html } from '../../kernel/html.ts';
import { localized } from '../../kernel/languages/catalogs.ts';
import type { Language } from '../../kernel/languages/languages.ts';
import { type Text, t } from '../../kernel/languages/message.ts';
import { wantsHtml } from '../codings/media-types.ts';
import type { Failure } from '../errors.ts';
import { pageHeaders } from '../security-headers.ts';
import { pageShell } from './page-shell.ts';

/** Whether the request is a browser navigation, not a program or a script. */
export function isVisit({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): boolean {
  return (method === 'GET' || method === 'HEAD') && wantsHtml(headers.accept);
}

/** An error as a page, with the same data as in JSON; `site`: name of the server. */
export function sendFailurePage(
  response: ServerResponse,
  { error, status, headers }: Failure,
  { requestId, site, language }: { readonly requestId: string; readonly site: string; readonly language: Language },
): void {
  const say = (text: Text): string => localized(text, language);
  const [message, suggestedFix] = [say(error.text), say(error.fix)];
  const { code } = error;
  const body = html`
    <p class="crumbs"><bdi dir="ltr">${status} ${STATUS_CODES[status] ?? ''}</bdi></p>
    <h1>${message}</h1>
    <p class="lead">${suggestedFix}</p>
    <ul class="related">
      <li><a href="/">${say(t`Home`)}</a></li>
      <li><a href="/docs">${say(t`Documentation`)}</a></li>
      <li><a href="/docs/errors/${code.toLowerCase()}"><code>${code}</code></a></li>
    </ul>
    <p class="foot">${say(t`Request ID`)} <code>${requestId}</code></p>`;
  const { text } = pageShell({ title: message, site, body, language });
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    'content-language': language,
    ...pageHeaders({ html: text }),
    ...headers,
  });
  response.end(text);
}
