import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';

/** The highest number a season or episode can have. */
export const MAX_NUMBER = 100_000;

/** A child with a number below a parent. */
export interface Numbered {
  readonly id: string;
  readonly number: number;
}

/** The target of a move: a number, a position in the order (from 1), or the end. */
export type TargetPosition = { readonly number: number } | { readonly position: number } | 'end';

/**
 * The numbers that change when `moved` is placed among `siblings` (in order, without it). `own` is its previous number
 * there, null when it comes from another parent.
 *
 * At a number: the sibling with that number and those after it move up, as far as the next gap. At a position: the used
 * numbers, with its own or the next one, are reassigned in the new order. Throws INVALID_INPUT when the numbers would
 * pass MAX_NUMBER.
 */
export function arrange(
  siblings: readonly Numbered[],
  moved: string,
  own: number | null,
  place: TargetPosition,
): Numbered[] {
  const changed =
    place === 'end'
      ? [{ id: moved, number: nextNumber(siblings) }]
      : 'number' in place
        ? shiftFollowing(siblings, moved, place.number)
        : insertAt(siblings, moved, own, place.position);
  for (const { number } of changed) requireInRange(number);
  return changed.filter(({ id, number }) => id !== moved || number !== own);
}

/** The next free number at the end. */
export function nextNumber(siblings: readonly Numbered[]): number {
  return (siblings.at(-1)?.number ?? 0) + 1;
}

function shiftFollowing(siblings: readonly Numbered[], moved: string, number: number): Numbered[] {
  const changed = [{ id: moved, number }];
  let taken = number;
  for (const sibling of siblings) {
    if (sibling.number !== taken) continue;
    taken += 1;
    changed.push({ id: sibling.id, number: taken });
  }
  return changed;
}

function insertAt(siblings: readonly Numbered[], moved: string, own: number | null, position: number): Numbered[] {
  const numbers = [...siblings.map(({ number }) => number), own ?? nextNumber(siblings)].sort((a, b) => a - b);
  const order: { id: string; number: number | null }[] = [...siblings];
  order.splice(position - 1, 0, { id: moved, number: null });
  // Same length as the entries.
  const pairs = order.map(({ id, number: before }, index) => ({ id, before, number: numbers[index] ?? 0 }));
  return pairs.filter(({ before, number }) => before !== number).map(({ id, number }) => ({ id, number }));
}

function requireInRange(number: number): void {
  if (number <= MAX_NUMBER) return;
  throw new AppError('INVALID_INPUT', t`Numbers go up to ${MAX_NUMBER}.`, {
    field: 'number',
    suggestedFix: t`Close gaps first with renumberEpisodes or renumberSeasons.`,
  });
}
