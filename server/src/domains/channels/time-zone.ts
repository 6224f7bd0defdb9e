import { AppError } from '../../kernel/errors.ts';
import { t } from '../../kernel/languages/message.ts';

/** Area/Location, or UTC: offsets and abbreviations have no daylight saving time. */
const NAME = /^(UTC|[A-Za-z]+(\/[A-Za-z0-9_+-]+){1,2})$/;

/** An IANA time zone name. Throws INVALID_INPUT with `field` for anything else. */
export function readTimeZone(value: string, field: string): string {
  const name = value.trim();
  if (NAME.test(name) && isKnown(name)) return name;
  throw new AppError('INVALID_INPUT', t`This is not the name of a time zone.`, {
    field,
    suggestedFix: t`Send a name of the IANA time zone database such as Europe/Berlin, America/New_York or UTC.`,
  });
}

function isKnown(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
