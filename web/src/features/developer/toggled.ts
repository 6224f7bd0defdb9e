/** A set with a name added or removed. */
export function toggled(chosen: ReadonlySet<string>, name: string, on: boolean): ReadonlySet<string> {
  const next = new Set(chosen);
  if (on) next.add(name);
  else next.delete(name);
  return next;
}
