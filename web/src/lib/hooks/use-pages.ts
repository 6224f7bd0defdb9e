import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query';
import { useRef } from 'react';

/** A page of a list, as the API returns it. */
export interface Page<Node> {
  readonly edges: readonly { readonly node: Node }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  readonly totalCount: number;
}

interface Options<Node> {
  /** Names the list: operation and variables. */
  readonly queryKey: QueryKey;
  /** The page that came with the route. */
  readonly first: Page<Node>;
  readonly loadMore: (after: string) => Promise<Page<Node> | null | undefined>;
  /** What gets the focus in the first new entry. */
  readonly focus?: string;
}

/** The entries of all pages in list order, without duplicates. */
export function nodesOf<Node extends { readonly id: string }>(pages: readonly Page<Node>[]): readonly Node[] {
  return [...new Map(pages.flatMap(({ edges }) => edges).map(({ node }) => [node.id, node])).values()];
}

/**
 * A list with cursor pagination. `list` goes on the element around the entries: when more are loaded, focus moves to
 * the first new one, so that keyboard users continue from there.
 */
export function usePages<Node extends { readonly id: string }>({
  queryKey,
  first,
  loadMore,
  focus = 'h3 a',
}: Options<Node>) {
  const list = useRef<HTMLDivElement>(null);
  const query = useInfiniteQuery({
    queryKey: [...queryKey, 'after', first.pageInfo.endCursor],
    queryFn: async ({ pageParam }) => (await loadMore(pageParam)) ?? null,
    initialPageParam: first.pageInfo.endCursor ?? '',
    getNextPageParam: (page) => (page?.pageInfo.hasNextPage ? page.pageInfo.endCursor : null),
    enabled: false, // pages are loaded by the button only
    gcTime: 0,
  });
  const nodes = nodesOf([first, ...(query.data?.pages.filter((page) => page !== null) ?? [])]);
  const load = async (): Promise<void> => {
    const { isError } = await query.fetchNextPage();
    if (!isError)
      requestAnimationFrame(() => list.current?.querySelectorAll<HTMLElement>(focus)[nodes.length]?.focus());
  };
  const hasMore = query.data ? query.hasNextPage : first.pageInfo.hasNextPage;
  return { nodes, hasMore, busy: query.isFetching, error: query.error, load: () => void load(), list };
}
