import { sendText } from '../http/codings/send-text.ts';
import { HttpError } from '../http/errors.ts';
import { pageHeaders } from '../http/security-headers.ts';
import { pageShell } from '../http/web/page-shell.ts';
import { html } from '../kernel/html.ts';
import { localized } from '../kernel/languages/catalogs.ts';
import { instantText } from '../kernel/languages/format-message.ts';
import { LANGUAGE_HEADERS, type Language } from '../kernel/languages/languages.ts';
import { t } from '../kernel/languages/message.ts';
import type { InstanceSettings } from '../platform/instance/instance-settings.ts';
import type { Route } from '../platform/routing.ts';
import { renderLegalText } from './render-legal-text.ts';

interface LegalText {
  readonly markdown: string;
  /** ISO 8601. */
  readonly changedAt: string;
}

const PAGES = { terms: t`Terms of service`, privacy: t`Privacy policy` } as const;
type Kind = keyof typeof PAGES;

export interface LegalPagesOptions {
  readonly instance: () => InstanceSettings;
  /** The text that this server shows itself; null without one. */
  readonly read: (kind: Kind) => Promise<LegalText | null>;
  readonly baseUrl: string;
}

/** `/terms` and `/privacy`: the texts of the operators, or where they are. */
export function legalRoutes({ instance, read, baseUrl }: LegalPagesOptions): Route[] {
  const rendered = new Map<string, { readonly version: string; readonly page: string }>();
  const pageOf = async (kind: Kind, text: LegalText, language: Language): Promise<string> => {
    const { name } = instance();
    const version = `${text.changedAt} ${name}`;
    const known = rendered.get(`${kind} ${language}`);
    if (known?.version === version) return known.page;
    const page = await legalPage(PAGES[kind], text, { name, language });
    rendered.set(`${kind} ${language}`, { version, page });
    return page;
  };
  return (Object.keys(PAGES) as Kind[]).map((kind): Route => {
    const handle: Route['handle'] = async (request, response, { language }) => {
      const text = await read(kind);
      if (text) {
        const page = await pageOf(kind, text, language);
        const headers = {
          ...{ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' },
          ...{ 'content-language': language, vary: LANGUAGE_HEADERS },
        };
        return sendText(request, response, 200, page, { ...headers, ...pageHeaders({ html: page }) });
      }
      const { termsUrl, privacyUrl } = instance();
      const elsewhere = kind === 'terms' ? termsUrl : privacyUrl;
      if (elsewhere === null) throw noPage(baseUrl);
      response.writeHead(302, { location: elsewhere, 'cache-control': 'no-store' }).end();
    };
    return { method: 'GET', path: `/${kind}`, handle };
  });
}

/** Stands for an element in a text. */
const PLACE = '\u0000';

/** The title is the first heading of the text, or ours. */
async function legalPage(
  title: string,
  { markdown, changedAt }: LegalText,
  { name, language }: { readonly name: string; readonly language: Language },
): Promise<string> {
  const body = await renderLegalText(markdown);
  const shown = localized(title, language);
  const day = instantText(Date.parse(changedAt), 'day', language);
  const [before = '', after = ''] = localized(t`Last changed on ${PLACE}`, language).split(PLACE);
  return pageShell({
    title: shown,
    ...{ site: name, isDocumentation: false, language },
    body: html`<p class="crumbs">${before}<time datetime="${changedAt}">${day}</time>${after}</p>
      ${body.text.includes('<h1>') ? [] : [html`<h1>${shown}</h1>`]}${body}`,
  }).text;
}

function noPage(baseUrl: string): HttpError {
  return new HttpError(404, 'RESOURCE_NOT_FOUND', t`This server has no such text.`, {
    suggestedFix: t`Start at ${baseUrl}; operators enter the text in /admin/settings.`,
  });
}
