import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Maybe } from '../../../kernel/maybe.ts';
import { MAX_NUMBER, type TargetPosition } from './arrange.ts';

/** The number shown to the audience. Throws INVALID_INPUT with `field`. */
export function readNumber(number: number, field: string): number {
  if (number >= 0 && number <= MAX_NUMBER) return number;
  throw new AppError('INVALID_INPUT', t`${field} must be between 0 and ${MAX_NUMBER}.`, {
    field,
    suggestedFix: t`Send the number to show to the audience.`,
  });
}

/**
 * The target of a move: at most one of number and position; defaults to the end. Throws INVALID_INPUT with the field.
 */
export function readTargetPosition({
  number,
  position,
}: {
  readonly number?: Maybe<number>;
  readonly position?: Maybe<number>;
}): TargetPosition {
  if (number != null && position != null) {
    throw new AppError('INVALID_INPUT', t`Both number and position are given.`, {
      field: 'input.position',
      suggestedFix: t`Send either number, to choose the number, or position, to choose the place in the order.`,
    });
  }
  if (number != null) return { number: readNumber(number, 'input.number') };
  if (position == null) return 'end';
  if (position >= 1) return { position };
  throw new AppError('INVALID_INPUT', t`position must be at least 1.`, {
    field: 'input.position',
    suggestedFix: t`Send 1 for the first position; a position beyond the last means the last.`,
  });
}
