import { AppError } from './errors.ts';
import { type Text, t } from './languages/message.ts';

/** Maximum length of a URL, in UTF-16 code units. */
const MAX_URL_LENGTH = 2_048;

/**
 * An absolute http or https URL without credentials; its `href` has at most 2,048 characters. Throws INVALID_INPUT with
 * `field`. `platform/fetch` decides whether the server may connect to it.
 */
export function readUrl(text: string, field: string): URL {
  if (text.length > MAX_URL_LENGTH) throw tooLong(field);
  const url = URL.parse(text.trim());
  if (!url) throw refused(field, t`This is not a URL.`, t`Send a complete URL such as https://example.com/path.`);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw refused(field, t`URLs that begin with "${url.protocol}" are not supported.`, t`Send an http or https URL.`);
  }
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
