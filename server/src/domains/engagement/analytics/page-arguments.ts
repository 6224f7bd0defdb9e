import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Maybe } from '../../../kernel/maybe.ts';

/** The longest page. */
export const MAX_PAGE = 100;
/** The last position that a page may begin at. */
const MAX_OFFSET = 100_000;

/** The number of entries of a page. Throws INVALID_INPUT for more than a page has. */
export function readFirst(first: unknown, usual: number): number {
  const size = typeof first === 'number' ? first : usual;
  if (size >= 1 && size <= MAX_PAGE) return size;
  throw new AppError('INVALID_INPUT', t`first is ${size}.`, {
    field: 'first',
    suggestedFix: t`Send 1 to ${MAX_PAGE}, and continue with nextCursor.`,
  });
}

/** The text that continues a list after some parts, such as an offset or the values of its last entry. */
export function cursorOf(...parts: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** The parts of a cursor, which `isValid` accepts; null without one. Throws INVALID_INPUT. */
export function readCursor<Parts extends readonly unknown[]>(
  after: unknown,
  isValid: (parts: readonly unknown[]) => parts is Parts,
): Parts | null {
  if (after === undefined || after === null || after === '') return null;
  const parts = parse(String(after));
  if (Array.isArray(parts) && isValid(parts)) return parts;
  throw new AppError('INVALID_INPUT', t`after is not a cursor of this list.`, {
    field: 'after',
    suggestedFix: t`Send nextCursor of the page before, or leave the argument out.`,
  });
}

/** The offset of a page. Throws INVALID_INPUT. */
export function readOffset(after: Maybe<unknown>): number {
  const isOffset = (parts: readonly unknown[]): parts is readonly [number] =>
    parts.length === 1 && Number.isSafeInteger(parts[0]) && Number(parts[0]) >= 0 && Number(parts[0]) <= MAX_OFFSET;
  return readCursor(after, isOffset)?.[0] ?? 0;
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return null;
  }
}
