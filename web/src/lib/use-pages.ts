import { useRef, useState } from 'react';

/** A page of a list as the API answers it. */
export interface Page<Node> {
  readonly edges: readonly { readonly node: Node }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  readonly totalCount: number;
}

/** The entries of all pages, each once, in the order of the list. */
export function nodesOf<Node extends { readonly id: string }>(pages: readonly Page<Node>[]): readonly Node[] {
  return [...new Map(pages.flatMap(({ edges }) => edges).map(({ node }) => [node.id, node])).values()];
}

/**
 * A list that grows by cursor. `list` goes on the element around the entries: after more have come, focus moves to the
 * first new `focus` in it, so that keyboard users go on from there.
 */
export function usePages<Node extends { readonly id: string }>(
  first: Page<Node>,
  more: (after: string) => Promise<Page<Node> | null | undefined>,
  focus = 'h3 a',
) {
  const [pages, setPages] = useState<readonly Page<Node>[]>([]);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const list = useRef<HTMLDivElement>(null);
  const all = [first, ...pages];
  const last = all.at(-1)?.pageInfo;
  const nodes = nodesOf(all);
  const load = async (): Promise<void> => {
    if (!last?.endCursor) return;
    setBusy(true);
    setError(null);
    try {
      const page = await more(last.endCursor);
      if (page) setPages((known) => [...known, page]);
      requestAnimationFrame(() => list.current?.querySelectorAll<HTMLElement>(focus)[nodes.length]?.focus());
    } catch (failure) {
      setError(failure);
    }
    setBusy(false);
  };
  return { nodes, hasMore: last?.hasNextPage ?? false, busy, error, load: () => void load(), list };
}
