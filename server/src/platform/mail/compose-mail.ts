import { accentIn } from '../../kernel/accent-color.ts';
import { Html, html } from '../../kernel/html.ts';
import type { MailMessage } from './mail-transport.ts';

/** A message in its parts, all plain text. */
export interface MailParts {
  readonly to: string;
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** What to do, as a link below the first paragraph. */
  readonly action?: { readonly label: string; readonly url: string };
  /** Why its recipient gets it, and where they end that: a page, and the address for programs. */
  readonly unsubscribe?: { readonly reason: string; readonly pageUrl: string; readonly postUrl: string };
}

const TEXT = 'font:16px/1.5 -apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif;color:#1d2125';
const SMALL = 'font-size:13px;color:#5b6570;border-top:1px solid #dfe3e6;padding-top:12px;margin-top:24px';
const OUR_ACCENT = { fill: '#ffb454', onFill: '#1d2125' };
const buttonStyle = ({ fill, onFill }: typeof OUR_ACCENT): string =>
  `display:inline-block;padding:12px 20px;border-radius:8px;background:${fill};color:${onFill};font-weight:600;` +
  'text-decoration:none';
const BUTTON = buttonStyle(OUR_ACCENT);

const CONTENT = `<div style="max-width:560px;margin:0 auto;${TEXT}">`;

/** The message as text and as HTML, which is escaped here: names in it come from people. */
export function composeMail({ to, subject, paragraphs, action, unsubscribe }: MailParts): MailMessage {
  const [first = '', ...rest] = paragraphs;
  const lines = [
    first,
    ...(action ? [`${action.label}:\n${action.url}`] : []),
    ...rest,
    ...(unsubscribe ? [`-- \n${unsubscribe.reason} Unsubscribe:\n${unsubscribe.pageUrl}`] : []),
  ];
  const button = action ? [html`<p><a href="${action.url}" style="${BUTTON}">${action.label}</a></p>`] : [];
  const footer = unsubscribe
    ? [html`<p style="${SMALL}">${unsubscribe.reason} <a href="${unsubscribe.pageUrl}">Unsubscribe</a></p>`]
    : [];
  const blocks = [block(first), ...button, ...rest.map(block), ...footer];
  return {
    to,
    subject,
    text: `${lines.join('\n\n')}\n`,
    html: html`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${subject}</title></head>
<body style="margin:0;padding:24px">${new Html(CONTENT)}${blocks}</div></body></html>
`.text,
    ...(unsubscribe ? { unsubscribeUrl: unsubscribe.postUrl } : {}),
  };
}

/** The message with the logo of the server above its text, which programs without images show as the server's name. */
export function withLogo(message: MailMessage, logo: { readonly url: string; readonly name: string }): MailMessage {
  const image = html`<p style="margin:0 0 24px"><img src="${logo.url}" alt="${logo.name}" height="40"
style="height:40px;width:auto;max-width:200px;border:0"></p>`.text;
  return { ...message, html: message.html.replace(CONTENT, (start) => start + image) };
}

/** The message with its button in the accent color of the server, `#rrggbb`, as on light pages. */
export function withAccent(message: MailMessage, color: string): MailMessage {
  const style = (text: string) => `style="${text}"`;
  return { ...message, html: message.html.replaceAll(style(BUTTON), style(buttonStyle(accentIn('light', color)))) };
}

const block = (text: string): Html => html`<p>${text}</p>`;
