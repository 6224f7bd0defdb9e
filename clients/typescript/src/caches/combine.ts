type Fields = Readonly<Record<string, unknown>>;

/**
 * The fields of a part in the cache and of the same part in a response, whatever either of them selects. Lists of
 * parts are combined if their entries agree; everything else is as in the response.
 */
export function combined(existing: unknown, incoming: unknown): unknown {
  if (Array.isArray(existing) && Array.isArray(incoming)) return combinedLists(existing, incoming);
  if (!isPart(existing) || !isPart(incoming) || existing.__typename !== incoming.__typename) return incoming;
  const fields = Object.entries(incoming).map(([name, value]) => [name, combined(existing[name], value)]);
  return { ...existing, ...Object.fromEntries(fields) };
}

/** Lists of parts, entry by entry; the incoming one if it has other entries. */
export function combinedLists(existing: readonly unknown[], incoming: readonly unknown[]): readonly unknown[] {
  return agree(existing, incoming) ? incoming.map((entry, index) => combined(existing[index], entry)) : incoming;
}

/** Whether nothing that both values have is different. */
export function agree(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && other.every((entry, index) => agree(one[index], entry));
  if (!isFields(one) || !isFields(other)) return Object.is(one, other);
  return Object.keys(other).every((name) => !(name in one) || agree(one[name], other[name]));
}

/** An object of the schema without an identity, unlike references to normalized objects and values of JSON. */
function isPart(value: unknown): value is Fields & { readonly __typename: string } {
  return isFields(value) && typeof value.__typename === 'string';
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
