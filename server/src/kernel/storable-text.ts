import { AppError } from './errors.ts';
import { t } from './languages/message.ts';

/**
 * Refuses texts that PostgreSQL cannot store, or would store as other ones: with a NUL, or half of a surrogate pair.
 * `value` is parsed JSON: a text, or a list or an object with texts in it and as names of its members. Throws
 * INVALID_INPUT with the path of the member as `field`.
 */
export function requireStorableText(value: unknown, field = ''): void {
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed()) throw notStorable(field);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      requireStorableText(name, field);
      requireStorableText(member, field === '' ? name : `${field}.${name}`);
    }
  }
}

function notStorable(field: string): AppError {
  return new AppError('INVALID_INPUT', t`A text contains a NUL character or half of a surrogate pair.`, {
    ...(field === '' ? {} : { field }),
    suggestedFix: t`Send well-formed Unicode without \\u0000; escapes like \\ud83d must come in pairs.`,
  });
}
