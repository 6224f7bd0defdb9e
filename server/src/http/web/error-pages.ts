import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError, ERROR_CATALOGUE, type ErrorCode, type ErrorEntry, errorExtensions } from '../../kernel/errors.ts';
import type { RequestContext, Route } from '../../platform/routing.ts';
import { sendText } from '../codings/send-text.ts';
import { HttpError, restErrorBody } from '../errors.ts';
import { pageHeaders } from '../security-headers.ts';
import { type Html, html } from './html.ts';
import { wantsHtml } from './media-types.ts';
import { pageFileRoutes } from './page-files.ts';
import { pageShell } from './page-shell.ts';

// Object.keys loses the literal type; the table is the source.
const CODES = Object.keys(ERROR_CATALOGUE) as ErrorCode[];

/**
 * The pages of `documentation` addresses, generated from the catalogue: one per code and an index. Programs that accept
 * JSON and not HTML get the same data as JSON.
 */
export function errorPageRoutes(baseUrl: string): Route[] {
  const send = (request: IncomingMessage, response: ServerResponse, status: number, page: Html, data: object) => {
    if (request.headers.accept?.includes('json') && !wantsHtml(request.headers.accept))
      return sendText(request, response, status, JSON.stringify(data), { ...CACHED, 'content-type': JSON_TYPE });
    sendText(request, response, status, page.text, {
      'content-type': 'text/html; charset=utf-8',
      ...pageHeaders({ html: page.text }),
      ...CACHED,
    });
  };
  const one = (request: IncomingMessage, response: ServerResponse, context: RequestContext) => {
    const code = CODES.find((name) => name.toLowerCase() === context.params.code?.toLowerCase());
    if (code) return send(request, response, 200, codePage(code, baseUrl), describe(code, baseUrl));
    const error = new HttpError(404, 'RESOURCE_NOT_FOUND', 'This error code does not exist.', {
      suggestedFix: `See ${baseUrl}/docs/errors.`,
    });
    return send(request, response, 404, unknownPage(baseUrl), restErrorBody(error, baseUrl, context.requestId));
  };
  const index = (request: IncomingMessage, response: ServerResponse) =>
    send(request, response, 200, indexPage(baseUrl), { codes: CODES.map((code) => describe(code, baseUrl)) });
  return [
    { method: 'GET', path: '/docs/errors', handle: index },
    ...pageFileRoutes(),
    { method: 'GET', path: '/docs/errors/:code', handle: one },
  ];
}

const JSON_TYPE = 'application/json; charset=utf-8';
const CACHED = { 'cache-control': 'public, max-age=300', vary: 'accept' };

function describe(code: ErrorCode, baseUrl: string): object {
  const { errorType, httpStatus, message, suggestedFix, retryable, explanation, related } = ERROR_CATALOGUE[code];
  return {
    code,
    errorType,
    httpStatus,
    message,
    explanation,
    suggestedFix,
    retryable,
    related,
    documentation: addressOf(code, baseUrl),
  };
}

function addressOf(code: string, baseUrl: string): string {
  return `${baseUrl}/docs/errors/${code.toLowerCase()}`;
}

function codePage(code: ErrorCode, baseUrl: string): Html {
  const entry: ErrorEntry = ERROR_CATALOGUE[code];
  const error = new AppError(code, undefined, entry.errorType === 'ValidationError' ? { field: 'input.title' } : {});
  const extensions = errorExtensions(error, baseUrl);
  const graphql = isWholeRequest(entry)
    ? { errors: [{ message: error.message, extensions }] }
    : { data: null, errors: [{ message: error.message, path: ['updateContent'], extensions }] };
  const rest = { errors: [{ message: error.message, ...extensions }], requestId: 'fJ2kq0XyZb3A.7f' };
  const body = html`
    <p class="crumbs"><a href="/docs">Docs</a> / <a href="/docs/errors">Errors</a></p>
    <h1><code>${code}</code></h1>
    <p class="lead">${entry.message}</p>
    <dl>
      <div><dt>Type</dt><dd>${entry.errorType}</dd></div>
      <div><dt>HTTP status</dt><dd>${entry.httpStatus}</dd></div>
      <div><dt>Retryable</dt><dd>${entry.retryable ? 'Yes, after a delay' : 'No, change the request first'}</dd></div>
    </dl>
    <h2>What happened</h2>
    <p>${entry.explanation}</p>
    <h2>How to fix it</h2>
    <p>${entry.suggestedFix}</p>
    ${statusNote(entry)}
    <h2>Example response</h2>
    <h3>GraphQL</h3>
    <pre><code>${JSON.stringify(graphql, null, 2)}</code></pre>
    <h3>Uploads and other endpoints</h3>
    <pre><code>${JSON.stringify(rest, null, 2)}</code></pre>
    <h2>Related</h2>
    <ul class="related">${entry.related.map((name) => html`<li><a href="/docs/errors/${name.toLowerCase()}"><code>${name}</code></a></li>`)}</ul>`;
  return pageShell({ title: `${code} · Reelgraph errors`, body });
}

/** Whether the error usually concerns the whole request and not a single field. */
function isWholeRequest(entry: ErrorEntry): boolean {
  return ['AuthenticationError', 'AuthorizationError', 'RateLimitError', 'AvailabilityError', 'InternalError'].includes(
    entry.errorType,
  );
}

function statusNote(entry: ErrorEntry): Html {
  return isWholeRequest(entry)
    ? html`<p class="note">POST /graphql responds with status ${entry.httpStatus} when the whole request fails with this
        error, and with 200 when only some fields do.</p>`
    : html`<p class="note">POST /graphql responds with status 200 and this error in <code>errors</code>. If the document
        could not be executed at all, the status is 400 for clients that accept
        <code>application/graphql-response+json</code>, and 200 for <code>application/json</code>. Uploads and other
        endpoints respond with ${entry.httpStatus}.</p>`;
}

function indexPage(baseUrl: string): Html {
  const rows = CODES.map((code) => {
    const entry = ERROR_CATALOGUE[code];
    return html`<tr><td><a href="/docs/errors/${code.toLowerCase()}"><code>${code}</code></a></td>
      <td>${entry.errorType}</td><td>${entry.httpStatus}</td><td>${entry.message}</td></tr>`;
  });
  const body = html`
    <h1>Errors</h1>
    <p class="lead">Every error has a stable code. Handle errors by code: messages can change.</p>
    <p>In GraphQL, the fields below are in <code>errors[].extensions</code>. On uploads and all other endpoints of
      ${baseUrl}, they are in <code>errors[]</code>.</p>
    <div class="scroll"><table>
      <thead><tr><th>Code</th><th>Type</th><th>Status</th><th>Meaning</th></tr></thead><tbody>${rows}</tbody>
    </table></div>
    <h2>Error fields</h2>
    <dl class="fields">
      <div><dt><code>code</code></dt><dd>Stable error code.</dd></div>
      <div><dt><code>errorType</code></dt><dd>Error category.</dd></div>
      <div><dt><code>field</code></dt><dd>The argument that caused the error, if any.</dd></div>
      <div><dt><code>suggestedFix</code></dt><dd>How to fix the error.</dd></div>
      <div><dt><code>documentation</code></dt><dd>URL of the page about this error.</dd></div>
    </dl>
    <p>Every response has an <code>X-Request-Id</code> header. Include it when you report a problem; it is in the server
      log.</p>`;
  return pageShell({ title: 'Errors · Reelgraph', body });
}

function unknownPage(baseUrl: string): Html {
  const body = html`
    <p class="crumbs"><a href="/docs">Docs</a> / <a href="/docs/errors">Errors</a></p>
    <h1>Unknown error code</h1>
    <p class="lead">This error code does not exist. <a href="${baseUrl}/docs/errors">See all codes.</a></p>`;
  return pageShell({ title: 'Unknown error code · Reelgraph', body });
}
