import { generateNKeysBetween } from 'fractional-indexing';

/** Longer keys are shortened by renumbering their playlist. */
const MAX_LENGTH = 64;

/** The positions on both sides of a gap; null for the beginning and the end of the playlist. */
export interface Gap {
  readonly below: string | null;
  readonly above: string | null;
}

/** `count` positions in the gap, in order. They compare by bytes (collation "C"). */
export function positionsIn({ below, above }: Gap, count: number): string[] {
  return generateNKeysBetween(below, above, count);
}

/**
 * Whether positions have become so long, by repeated inserts at the same place, that their playlist should be
 * renumbered.
 */
export function areWorn(positions: readonly string[]): boolean {
  return positions.some((position) => position.length > MAX_LENGTH);
}

/** Whether positions are in the gap already, in this order. They are ASCII: their order is that of bytes. */
export function areInGap(positions: readonly string[], { below, above }: Gap): boolean {
  return positions.every((position, i) => {
    const before = positions[i - 1] ?? below;
    return (before === null || before < position) && (above === null || position < above);
  });
}
