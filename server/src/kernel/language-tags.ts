import { AppError } from './errors.ts';
import { t } from './languages/message.ts';

/** BCP 47 (RFC 5646, 2.1) as far as videos need it: language, script and region. */
const TAG = /^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$/;

/**
 * A language tag in its canonical spelling: `pt-BR`, `zh-Hant`. Throws INVALID_INPUT with `field` for any other text.
 */
export function readLanguageTag(value: string, field: string): string {
  const tag = canonicalTag(value.trim());
  if (tag !== null && TAG.test(tag)) return tag;
  throw new AppError('INVALID_INPUT', t`${field} is not a supported BCP 47 language tag.`, {
    field,
    suggestedFix: t`Send a tag of language, script and region such as en, pt-BR or zh-Hant.`,
  });
}

function canonicalTag(value: string): string | null {
  try {
    return Intl.getCanonicalLocales(value)[0] ?? null;
  } catch {
    return null; // a RangeError: not well formed
  }
}
