import { sendText } from '../http/codings/send-text.ts';
import { HttpError } from '../http/errors.ts';
import { pageHeaders } from '../http/security-headers.ts';
import { pageShell } from '../http/web/page-shell.ts';
import { html } from '../kernel/html.ts';
import type { InstanceSettings } from '../platform/instance/instance-settings.ts';
import type { Route } from '../platform/routing.ts';
import { renderMarkdown } from './render-markdown.ts';

interface LegalText {
  readonly markdown: string;
  /** ISO 8601. */
  readonly changedAt: string;
}

const PAGES = { terms: 'Terms of service', privacy: 'Privacy policy' } as const;
type Kind = keyof typeof PAGES;

export interface LegalPagesOptions {
  readonly instance: () => InstanceSettings;
  /** The text that this server shows itself; null without one. */
  readonly read: (kind: Kind) => Promise<LegalText | null>;
  readonly baseUrl: string;
}

/** `/terms` and `/privacy`: the texts of the operators, or where they are. */
export function legalRoutes({ instance, read, baseUrl }: LegalPagesOptions): Route[] {
  const rendered = new Map<Kind, { readonly version: string; readonly page: string }>();
  const pageOf = (kind: Kind, text: LegalText): string => {
    const { name } = instance();
    const version = `${text.changedAt} ${name}`;
    const known = rendered.get(kind);
    if (known?.version === version) return known.page;
    const page = legalPage(PAGES[kind], text, name);
    rendered.set(kind, { version, page });
    return page;
  };
  return (Object.keys(PAGES) as Kind[]).map((kind): Route => {
    const handle: Route['handle'] = async (request, response) => {
      const text = await read(kind);
      if (text) {
        const page = pageOf(kind, text);
        const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' };
        return sendText(request, response, 200, page, { ...headers, ...pageHeaders({ html: page }) });
      }
      const { termsUrl, privacyUrl } = instance();
      const elsewhere = kind === 'terms' ? termsUrl : privacyUrl;
      if (elsewhere === null) throw noPage(PAGES[kind], baseUrl);
      response.writeHead(302, { location: elsewhere, 'cache-control': 'no-store' }).end();
    };
    return { method: 'GET', path: `/${kind}`, handle };
  });
}

/** The title is the first heading of the text, or ours. */
function legalPage(title: string, { markdown, changedAt }: LegalText, name: string): string {
  const { body } = renderMarkdown(markdown);
  const day = new Date(changedAt).toLocaleDateString('en', { dateStyle: 'long', timeZone: 'UTC' });
  return pageShell({
    title,
    ...{ site: name, isDocumentation: false },
    body: html`<p class="crumbs">Last changed on <time datetime="${changedAt}">${day}</time></p>
      ${body.text.includes('<h1>') ? [] : [html`<h1>${title}</h1>`]}${body}`,
  }).text;
}

function noPage(title: string, baseUrl: string): HttpError {
  return new HttpError(404, 'RESOURCE_NOT_FOUND', `This server has no page "${title}".`, {
    suggestedFix: `Start at ${baseUrl}; operators enter the text in /admin/settings.`,
  });
}
