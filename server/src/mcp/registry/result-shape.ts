/**
 * Results of tools: as selected by the operation, but a connection is a page: `{ totalCount, items, next }`, where
 * `next` is the cursor to pass as `after`, null on the last page. It takes half the tokens.
 */

export type Json = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function resultShape(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(resultShape);
  if (!isObject(value)) return value;
  const { edges, pageInfo, ...others } = value;
  const shaped = Object.fromEntries(Object.entries(others).map(([key, inner]) => [key, resultShape(inner)]));
  if (!Array.isArray(edges)) return shaped;
  return { ...shaped, items: edges.map(itemOf), next: nextOf(pageInfo) };
}

/** The node, with the selected fields of its edge. */
function itemOf(edge: unknown): unknown {
  if (!isObject(edge)) return null;
  const { node, cursor: _cursor, ...ofEdge } = edge;
  return isObject(node) ? (resultShape({ ...node, ...ofEdge }) as Json) : null;
}

function nextOf(pageInfo: unknown): string | null {
  if (!isObject(pageInfo)) return null;
  const { hasNextPage, endCursor } = pageInfo;
  return hasNextPage === true && typeof endCursor === 'string' ? endCursor : null;
}

/** Omits null fields; list elements keep their positions. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => (inner === null ? [] : [[key, withoutNulls(inner)]])),
  );
}
