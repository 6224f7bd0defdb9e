/** The list with the entry at `from` moved to `to`. Positions out of range are clamped. */
export function moveItem<Item>(list: readonly Item[], from: number, to: number): readonly Item[] {
  const item = list[from];
  if (item === undefined) return list;
  const rest = list.filter((_, index) => index !== from);
  const index = Math.max(0, Math.min(rest.length, to));
  return [...rest.slice(0, index), item, ...rest.slice(index)];
}
