import type { ArgShape, FieldCost } from '../schema/declarations.ts';

/**
 * What an operation costs. A root field 1; an object read by identifier or through a to-one field 1; a connection 1,
 * plus for each entry of the page 1 and what its node costs; a mutation 10 more; `__schema` or `__type` 10. Fields of
 * an object are free, unless they declare a cost of their own ({@link FieldCost}): it is charged each time the field is
 * read, whatever it finds. A plan's cost is that sum for full pages; the points of an execution count what the response
 * holds. `features(first: 20)` with each channel: 1 + 1 + 20 x (1 + 1) = 42.
 */
export const MUTATION_COST = 10;
export const INTROSPECTION_COST = 10;

/** The points that a field declares, with these arguments. */
export function pointsOf(cost: FieldCost | undefined, args: ArgShape): number {
  if (!cost) return 0;
  return cost.reduce((sum, part) => sum + ((part.if?.applies(args) ?? true) ? part.points : 0), 0);
}
