import { AppError } from '../../../kernel/errors.ts';
import type { Maybe } from '../../../kernel/maybe.ts';
import { MAX_NUMBER, type Place } from './arrange.ts';

/** A number as the audience reads it. Throws INVALID_INPUT with `field`. */
export function readNumber(number: number, field: string): number {
  if (number >= 0 && number <= MAX_NUMBER) return number;
  throw new AppError('INVALID_INPUT', `${field} must be between 0 and ${MAX_NUMBER}.`, {
    field,
    suggestedFix: 'Send the number the audience is to read.',
  });
}

/** Where to move something: at most one of number and position; the end when there is neither. Throws INVALID_INPUT with the field. */
export function readPlace({ number, position }: { readonly number?: Maybe<number>; readonly position?: Maybe<number> }): Place {
  if (number != null && position != null) {
    throw new AppError('INVALID_INPUT', 'A place is given by number or by position, not by both.', {
      field: 'position',
      suggestedFix: 'Send number to choose the number, or position to choose the place in the order.',
    });
  }
  if (number != null) return { number: readNumber(number, 'number') };
  if (position == null) return 'end';
  if (position >= 1) return { position };
  throw new AppError('INVALID_INPUT', 'position must be at least 1.', {
    field: 'position',
    suggestedFix: 'Send 1 for the first place; a position beyond the last is the last.',
  });
}
