import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import {
  ChannelCommentEvents,
  type ChannelCommentFilter,
  ChannelComments,
  type ChannelCommentsResult,
  type CommentPartsFragment,
} from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import { nodesOf } from '../../../lib/hooks/use-pages.ts';
import { useVisible } from '../../../lib/hooks/use-visible.ts';
import { formatLocale, t } from '../../../lib/i18n.ts';
import { subscribe } from '../../../lib/subscribe.ts';

/** What changes the inbox. */
const EVENTS = ['COMMENT_CREATED', 'COMMENT_UPDATED', 'COMMENT_DELETED'] as const;
/** Several events at once make one request. */
const SETTLE_MS = 400;

type Page = NonNullable<NonNullable<ChannelCommentsResult['channel']>['comments']>;

const NOTHING: Page = { totalCount: 0, edges: [], pageInfo: { hasNextPage: false, endCursor: null } };

const keyOf = (channelId: string) => ['comment-inbox', channelId] as const;

async function loadPage(id: string, filter: ChannelCommentFilter, after: string | null): Promise<Page> {
  return (await api(ChannelComments, { id, filter, after })).channel?.comments ?? NOTHING;
}

/** The first page, for its count. */
export const inboxQuery = (channelId: string, filter: ChannelCommentFilter) => ({
  queryKey: [...keyOf(channelId), filter, 'count'],
  queryFn: () => loadPage(channelId, filter, null),
});

/** The loaded pages of the inbox. After a change whose effects only the server knows, they are loaded again. */
export function useInboxPages(channelId: string, filter: ChannelCommentFilter) {
  const client = useQueryClient();
  const key = [...keyOf(channelId), filter];
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam }) => loadPage(channelId, filter, pageParam),
    initialPageParam: null as string | null, // the first page has no cursor
    getNextPageParam: ({ pageInfo }) => (pageInfo.hasNextPage ? pageInfo.endCursor : null),
  });
  const change = (comment: CommentPartsFragment): void => {
    client.setQueryData<typeof query.data>(
      key,
      (known) =>
        known && {
          ...known,
          pages: known.pages.map((page) => ({
            ...page,
            edges: page.edges.map(({ node }) => ({ node: node.id === comment.id ? { ...node, ...comment } : node })),
          })),
        },
    );
  };
  return {
    comments: nodesOf(query.data?.pages ?? []),
    isLoading: query.isPending,
    error: query.error,
    hasMore: query.hasNextPage,
    isFetchingMore: query.isFetchingNextPage,
    more: () => void query.fetchNextPage(),
    reload: () => void client.invalidateQueries({ queryKey: keyOf(channelId) }),
    change,
  };
}

/**
 * Loads the inbox again when comments are written, changed or deleted. A hidden page closes its stream and catches up
 * later. Returns what screen readers hear.
 */
export function useLiveInbox(channelId: string, reload: () => void): string {
  const visible = useVisible();
  const latest = useRef(reload);
  const cursor = useRef<string | null>(null);
  const [spoken, setSpoken] = useState('');
  useEffect(() => {
    latest.current = reload;
  });
  useEffect(() => {
    if (!visible) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = subscribe(
      ChannelCommentEvents,
      { channel: channelId, types: EVENTS, cursor: cursor.current },
      {
        onMessage: (_, id) => {
          cursor.current = id ?? cursor.current;
          clearTimeout(timer);
          timer = setTimeout(() => {
            latest.current();
            const time = new Date().toLocaleTimeString(formatLocale);
            setSpoken(t`Comments updated at ${time}.`);
          }, SETTLE_MS);
        },
        onState: () => undefined,
        onError: () => undefined, // without a stream, the page is as it was loaded
      },
    );
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [channelId, visible]);
  return spoken;
}
