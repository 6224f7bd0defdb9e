import type { ErrorPort } from '../ports.ts';
import type { ArgShape } from '../schema/declarations.ts';
import { MAX_PAGE_SIZE } from '../schema/fields.ts';
import type { CursorCodec } from '../statements/cursor.ts';

/** The requested part of a list. */
export interface Page {
  readonly size: number;
  /** From the start (first) or from the end (last). */
  readonly forward: boolean;
  readonly after: boolean;
  readonly before: boolean;
}

/** Reads first, after, last and before (Relay cursor connections, "Pagination algorithm"). */
export function readPage(args: Pick<ArgShape, 'literal' | 'given'>, defaultSize: number, errors: ErrorPort): Page {
  const first = args.literal('first');
  const last = args.literal('last');
  if (first != null && last != null) {
    throw errors.invalidArgument('A page is taken from the start or from the end of a list, not from both.', {
      field: 'last',
      suggestedFix: 'Send either first or last.',
    });
  }
  for (const [field, value] of Object.entries({ first, last })) {
    if (value == null || (typeof value === 'number' && value >= 1 && value <= MAX_PAGE_SIZE)) continue;
    const next = field === 'first' ? 'after: pageInfo.endCursor' : 'before: pageInfo.startCursor';
    throw errors.invalidArgument(`${field} must be between 1 and ${MAX_PAGE_SIZE}.`, {
      field,
      suggestedFix: `Ask for at most ${MAX_PAGE_SIZE} entries and continue with ${next}.`,
    });
  }
  const size = Number(first ?? last ?? defaultSize);
  return { size, forward: last == null, after: args.given('after'), before: args.given('before') };
}

/** The order values of a cursor. Throws the application's error for what is no cursor of the list. */
export function readCursor(codec: CursorCodec, argument: string, cursor: unknown, errors: ErrorPort): string[] {
  const values = typeof cursor === 'string' ? codec.decode(cursor) : null;
  if (values) return values;
  throw errors.invalidArgument(`${argument} is not a cursor of this list.`, {
    field: argument,
    suggestedFix: 'Send a cursor exactly as a response of this very list gave it, or leave the argument out.',
  });
}
