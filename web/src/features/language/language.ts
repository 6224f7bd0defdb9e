import { AccountLanguage, SetLanguage } from '../../gql/generated/handles/language.gen.ts';
import { api } from '../../lib/api.ts';
import { locale } from '../../lib/i18n.ts';
import { LANGUAGES, type Language } from '../../lib/languages.ts';

/** The server chooses the language of a page by this cookie, otherwise by the settings of the browser. */
const COOKIE = 'language';
const YEAR_SECONDS = 31_536_000;

/** Shows the application in a language from now on: in this browser, and for the account where someone is signed in. */
export async function chooseLanguage(language: Language, isSignedIn: boolean): Promise<void> {
  if (isSignedIn) await api(SetLanguage, { language });
  remember(language);
  location.reload(); // a page has one language
}

/**
 * After a sign-in, chooses the language of the account in a browser where none was chosen. Whether the next page must
 * be loaded in it. English is what accounts have initially, so that it chooses nothing. The sign-in stands where the
 * language cannot be read.
 */
export async function followAccountLanguage(): Promise<boolean> {
  if (document.cookie.split('; ').some((cookie) => cookie.startsWith(`${COOKIE}=`))) return false;
  const [wanted = 'en'] = (await accountLanguage()).split('-');
  if (wanted === 'en' || wanted === locale || !(wanted in LANGUAGES)) return false;
  remember(wanted as Language);
  return true;
}

async function accountLanguage(): Promise<string> {
  try {
    return (await api(AccountLanguage)).me.settings.language;
  } catch {
    return locale;
  }
}

function remember(language: Language): void {
  const secure = location.protocol === 'https:' ? '; secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: not all browsers have the Cookie Store API
  document.cookie = `${COOKIE}=${language}; path=/; max-age=${YEAR_SECONDS}; samesite=lax${secure}`;
}
