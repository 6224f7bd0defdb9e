import { useCallback, useEffect, useRef, useState } from 'react';
import { type CommentPartsFragment, type CommentSort, Comments, type CommentsResult } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { useAction } from '../../lib/use-action.ts';
import { mergeComments, type Thread } from './threads.ts';

type Page = CommentsResult['comments'];

/** The threads of a content in one order: loaded by pages, changed where they stand, asked for again when they are stale. */
export function useThreads(contentId: string, sort: CommentSort) {
  const [threads, setThreads] = useState<readonly Thread[]>([]);
  const [page, setPage] = useState<Page['pageInfo'] | null>(null);
  const [round, setRound] = useState(0);
  const action = useAction();
  const { run } = action;
  const shown = useRef(sort);
  const load = useCallback(
    async (after: string | null): Promise<void> => {
      shown.current = sort;
      const { comments } = await api(Comments, { contentId, sort, after });
      // An answer in an order that was left meanwhile would be shown as the other.
      if (shown.current !== sort) return;
      const found = comments.edges.map(({ node }) => node);
      setThreads((known) => (after === null ? found : [...new Map([...known, ...found].map((each) => [each.id, each])).values()]));
      setPage(comments.pageInfo);
    },
    [contentId, sort],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: `run` is another function each time and always the same
  useEffect(() => run('load', () => load(null)), [load]);
  const reload = (): void =>
    run('load', async () => {
      await load(null);
      setRound((before) => before + 1);
    });
  return {
    threads,
    round,
    action,
    known: page !== null,
    reload,
    add: (comments: readonly Thread[]) => setThreads((all) => mergeComments(all, comments)),
    change: (changed: CommentPartsFragment) =>
      setThreads((all) => all.map((each) => (each.id === changed.id ? { ...each, ...changed } : each))),
    more: page?.hasNextPage ? () => run('load', () => load(page.endCursor)) : null,
  };
}
