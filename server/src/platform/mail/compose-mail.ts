import { accentIn } from '../../kernel/accent-color.ts';
import { Html, html } from '../../kernel/html.ts';
import { localized } from '../../kernel/languages/catalogs.ts';
import type { Phrase } from '../../kernel/languages/format-message.ts';
import { directionOf, type Language } from '../../kernel/languages/languages.ts';
import { t } from '../../kernel/languages/message.ts';
import type { MailMessage } from './mail-transport.ts';

type MailText = string | Phrase;

/** A message in its parts, all plain text in no language yet. What people wrote is a value of a text. */
export interface Mail {
  readonly to: string;
  readonly subject: MailText;
  readonly paragraphs: readonly MailText[];
  /** What to do, as a link below the first paragraph. */
  readonly action?: { readonly label: MailText; readonly url: string };
  /** Why its recipient gets it, and where they end that: a page, and the address for programs. */
  readonly unsubscribe?: { readonly reason: MailText; readonly pageUrl: string; readonly postUrl: string };
  /** Where no account has the address; default English. An account has its own. */
  readonly language?: Language;
}

const MOST_SUBJECT = 150;

const TEXT = 'font:16px/1.5 -apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif;color:#1d2125';
const SMALL = 'font-size:13px;color:#5b6570;border-top:1px solid #dfe3e6;padding-top:12px;margin-top:24px';
const OUR_ACCENT = { fill: '#ffb454', onFill: '#1d2125' };
const buttonStyle = ({ fill, onFill }: typeof OUR_ACCENT): string =>
  `display:inline-block;padding:12px 20px;border-radius:8px;background:${fill};color:${onFill};font-weight:600;` +
  'text-decoration:none';
const BUTTON = buttonStyle(OUR_ACCENT);

/** The message as text and as HTML, which is escaped here: names in it come from people. */
export function composeMail(
  { to, subject, paragraphs, action, unsubscribe }: Mail,
  language: Language = 'en',
): MailMessage {
  const write = (text: MailText): string => localized(text, language);
  const [first = '', ...rest] = paragraphs.map(write);
  const title = write(subject).replace(/\s+/g, ' ').slice(0, MOST_SUBJECT);
  const label = action ? write(action.label) : '';
  const [reason, end] = unsubscribe ? [write(unsubscribe.reason), write(t`Unsubscribe`)] : ['', ''];
  const lines = [
    first,
    ...(action ? [`${label}:\n${action.url}`] : []),
    ...rest,
    ...(unsubscribe ? [`-- \n${reason} ${end}:\n${unsubscribe.pageUrl}`] : []),
  ];
  const button = action ? [html`<p><a href="${action.url}" style="${BUTTON}">${label}</a></p>`] : [];
  const footer = unsubscribe
    ? [html`<p style="${SMALL}">${reason} <a href="${unsubscribe.pageUrl}">${end}</a></p>`]
    : [];
  const blocks = [block(first), ...button, ...rest.map(block), ...footer];
  // Programs that show mail drop the attributes of <html>.
  const direction = new Html(directionOf(language) === 'rtl' ? ' dir="rtl"' : '');
  return {
    to,
    subject: title,
    text: `${lines.join('\n\n')}\n`,
    html: html`<!doctype html><html lang="${language}"${direction}>
<head><meta charset="utf-8"><title>${title}</title></head>
<body style="margin:0;padding:24px">
<div${direction} style="max-width:560px;margin:0 auto;${TEXT}">${blocks}</div></body></html>
`.text,
    ...(unsubscribe ? { unsubscribeUrl: unsubscribe.postUrl } : {}),
  };
}

/** The message with the logo of the server above its text, which programs without images show as the server's name. */
export function withLogo(message: MailMessage, logo: { readonly url: string; readonly name: string }): MailMessage {
  const image = html`<p style="margin:0 0 24px"><img src="${logo.url}" alt="${logo.name}" height="40"
style="height:40px;width:auto;max-width:200px;border:0"></p>`.text;
  return { ...message, html: message.html.replace(/<body[^>]*>\s*<div[^>]*>/, (start) => start + image) };
}

/** The message with its button in the accent color of the server, `#rrggbb`, as on light pages. */
export function withAccent(message: MailMessage, color: string): MailMessage {
  const style = (text: string) => `style="${text}"`;
  return { ...message, html: message.html.replaceAll(style(BUTTON), style(buttonStyle(accentIn('light', color)))) };
}

const block = (text: string): Html => html`<p>${text}</p>`;
