import { type InfiniteData, keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type CommentPartsFragment,
  type CommentSort,
  Comments,
  type CommentsResult,
  NamedComment,
} from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { didOf, namespace } from '../../lib/did.ts';
import { queryClient } from '../../lib/query.ts';
import { mergeComments, type Thread } from './threads.ts';

interface ThreadPage {
  readonly threads: readonly Thread[];
  readonly pageInfo: CommentsResult['comments']['pageInfo'];
}

type Cached = InfiniteData<ThreadPage, string | null>;

/**
 * The comment threads of a content in one order, page by page. Changes and new comments are applied to the cached
 * pages.
 */
export function useThreads(contentId: string, sort: CommentSort) {
  const queryKey = ['comments', { contentId, sort }];
  const [reloads, setReloads] = useState(0);
  const query = useInfiniteQuery({
    queryKey,
    queryFn: async ({ pageParam: after }: { pageParam: string | null }): Promise<ThreadPage> => {
      const { edges, pageInfo } = (await api(Comments, { contentId, sort, after })).comments;
      return { threads: edges.map(({ node }) => node), pageInfo };
    },
    initialPageParam: null,
    getNextPageParam: ({ pageInfo }) => (pageInfo.hasNextPage ? pageInfo.endCursor : null),
    placeholderData: keepPreviousData,
  });
  const update = (change: (threads: readonly Thread[]) => readonly Thread[]): void => {
    queryClient.setQueryData<Cached>(
      queryKey,
      (cached) => cached && { ...cached, pages: withThreads(cached.pages, change) },
    );
  };
  const reload = async (): Promise<void> => {
    await query.refetch();
    setReloads((count) => count + 1);
  };
  return {
    threads: allThreads(query.data?.pages ?? []),
    /** Counts reloads, so that opened replies are loaded again too. */
    reloads,
    isLoaded: query.data !== undefined,
    busy: query.isFetching,
    error: query.error,
    reload: () => void reload(),
    add: (comments: readonly Thread[]) => update((threads) => mergeComments(threads, comments)),
    change: (changed: CommentPartsFragment) =>
      update((threads) => threads.map((thread) => (thread.id === changed.id ? { ...thread, ...changed } : thread))),
    more: query.hasNextPage ? () => void query.fetchNextPage() : null,
  };
}

/** The threads of all pages without duplicates: a thread can move to a later page between two requests. */
function allThreads(pages: readonly ThreadPage[]): readonly Thread[] {
  return [...new Map(pages.flatMap(({ threads }) => threads).map((thread) => [thread.id, thread])).values()];
}

/** The same pages with other threads, all of them on the first. */
function withThreads(
  pages: readonly ThreadPage[],
  change: (threads: readonly Thread[]) => readonly Thread[],
): ThreadPage[] {
  return pages.map((page, index) => ({ ...page, threads: index === 0 ? change(allThreads(pages)) : [] }));
}

/**
 * The thread of a comment, by the id of any comment in it; null while it is loading, and where the viewer cannot see
 * it.
 */
export function useNamedThread(contentId: string, comment: string | undefined) {
  const queryKey = ['NamedComment', { comment }];
  const query = useQuery({
    queryKey,
    queryFn: async (): Promise<Thread | null> => {
      const id = didOf('comment', comment ?? '', namespace());
      const named = id === null ? null : (await api(NamedComment, { id })).comment;
      if (!named || named.contentId !== contentId) return null;
      return named.depth === 0 ? named : (await api(NamedComment, { id: named.threadId })).comment;
    },
    enabled: comment !== undefined,
  });
  return {
    thread: query.data ?? null,
    reload: () => void query.refetch(),
    change: (changed: CommentPartsFragment) =>
      queryClient.setQueryData<Thread | null>(queryKey, (known) =>
        known?.id === changed.id ? { ...known, ...changed } : known,
      ),
  };
}
