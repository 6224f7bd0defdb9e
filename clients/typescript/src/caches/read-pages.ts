import { type PolicyOptions, type StoredList, wantedBy } from './stored-list.ts';

/**
 * What a stored list has of what a view asks for: without a cursor all of it, otherwise the page after the cursor.
 * Without its edges, which Apollo Client then requests, if some of them are missing.
 */
export function readPages(
  existing: StoredList | null | undefined,
  options: PolicyOptions,
): StoredList | null | undefined {
  if (!existing) return existing;
  const { edges: _, held: _held, ...others } = existing;
  const page = pageOf(existing, options);
  if (!page?.edges) return others;
  const { canRead, readField } = options;
  // Objects that were evicted are gone from lists, too.
  return { ...others, ...page, edges: page.edges.filter((edge) => canRead(readField('node', edge))) };
}

function pageOf({ edges, pageInfo, held }: StoredList, { args, readField }: PolicyOptions): StoredList | null {
  const { cursor, size, order, near, far } = wantedBy(args);
  if (cursor === null) {
    const isEnough = size === null ? held?.byDefault : size <= Math.max(edges?.length ?? 0, held?.size ?? 0);
    return edges && (isEnough || held?.isComplete) ? { edges } : null;
  }
  const all = order(edges ?? []);
  const at = all.findIndex((edge) => readField('cursor', edge) === cursor);
  if (at < 0) return held?.apart?.[cursor] ?? null;
  const rest = all.slice(at + 1);
  if (rest.length < (size ?? 1) && !held?.isComplete) return null;
  const page = rest.slice(0, size ?? rest.length);
  const [first, last] = [page[0], page.at(-1)];
  return {
    edges: order(page),
    pageInfo: {
      ...pageInfo,
      [near.more]: true,
      [near.cursor]: first ? readField('cursor', first) : null,
      ...(last && page.length < rest.length ? { [far.more]: true, [far.cursor]: readField('cursor', last) } : {}),
    },
  };
}
