import { AppError } from '../../../kernel/errors.ts';
import type { Maybe } from '../../../kernel/maybe.ts';
import type { StoredBudgets } from './api-key-audit-log.store.ts';

const MAX = 1_000_000;

export type BudgetsInput = { readonly [Name in keyof StoredBudgets]?: Maybe<number> };

/** The limits as they are stored. Throws INVALID_INPUT with the field. */
export function readBudgets(input: BudgetsInput): StoredBudgets {
  const read = (name: keyof StoredBudgets): number | null => {
    const value = input[name] ?? null;
    if (value === null || (value >= 0 && value <= MAX)) return value;
    throw new AppError('INVALID_INPUT', `${name} must be a number from 0 to ${MAX}, or omitted for no limit.`, {
      field: `input.${name}`,
    });
  };
  return {
    deletesPerDay: read('deletesPerDay'),
    publishesPerHour: read('publishesPerHour'),
    processingMinutesPerDay: read('processingMinutesPerDay'),
  };
}
