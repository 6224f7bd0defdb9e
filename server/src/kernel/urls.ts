import { AppError } from './errors.ts';
import { type Text, t } from './languages/message.ts';

/** Maximum length of a URL, in UTF-16 code units. */
const MAX_URL_LENGTH = 2_048;

/** Which addresses are accepted. */
interface UrlKind {
  readonly protocols: readonly string[];
  readonly example: Text;
  readonly suggestedFix: Text;
}

const WEB: UrlKind = {
  protocols: ['http:', 'https:'],
  example: t`Send a complete URL such as https://example.com/path.`,
  suggestedFix: t`Send an http or https URL.`,
};
const RTMP: UrlKind = {
  protocols: ['rtmp:', 'rtmps:'],
  example: t`Send a complete URL such as rtmp://example.com/live.`,
  suggestedFix: t`Send an rtmp or rtmps URL.`,
};

/**
 * An absolute http or https URL without credentials; its `href` has at most 2,048 characters. Throws INVALID_INPUT with
 * `field`. `platform/fetch` decides whether the server may connect to it.
 */
export function readUrl(text: string, field: string): URL {
  return readUrlOf(WEB, text, field);
}

/** The same for rtmp and rtmps: without a fragment, and without a slash at the end of its path. */
export function readRtmpUrl(text: string, field: string): URL {
  const url = readUrlOf(RTMP, text, field);
  // The standard leaves hosts of these protocols as they are written.
  const host = URL.parse(`https://${url.hostname}`)?.hostname;
  if (!host) throw refused(field, t`This is not a URL.`, RTMP.example);
  url.hostname = host;
  url.hash = '';
  let end = url.pathname.length;
  while (url.pathname[end - 1] === '/') end -= 1;
  url.pathname = url.pathname.slice(0, end);
  return url;
}

function readUrlOf({ protocols, example, suggestedFix }: UrlKind, text: string, field: string): URL {
  if (text.length > MAX_URL_LENGTH) throw tooLong(field);
  const url = URL.parse(text.trim());
  if (!url) throw refused(field, t`This is not a URL.`, example);
  if (!protocols.includes(url.protocol))
    throw refused(field, t`URLs that begin with "${url.protocol}" are not supported.`, suggestedFix);
  if (url.username !== '' || url.password !== '') {
    throw refused(field, t`The URL contains a username or password.`, t`Send a URL without credentials.`);
  }
  // Encoding can make it longer.
  if (url.href.length > MAX_URL_LENGTH) throw tooLong(field);
  return url;
}

function tooLong(field: string): AppError {
  return refused(field, t`The URL is longer than 2,048 characters.`, t`Send a shorter URL.`);
}

function refused(field: string, message: Text, suggestedFix: Text): AppError {
  return new AppError('INVALID_INPUT', message, { field, suggestedFix });
}
