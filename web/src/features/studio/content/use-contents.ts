import { useQueries } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import {
  type StudioContentFragment,
  StudioContentItem,
  StudioContents,
  type StudioContentsResult,
  type StudioContentsVariables,
} from '../../../gql/generated/operations.gen.ts';
import { ApiError, api } from '../../../lib/api.ts';
import { isBeingProcessed } from '../../uploads/job-state.ts';
import type { UploadItem } from '../../uploads/upload-item.ts';
import { uploadFor } from '../../uploads/upload-list.ts';

const POLL_MS = 1500;
/** How long a processed content is still polled, because publication follows processing. */
const SETTLE_MS = 15_000;

type Page = NonNullable<NonNullable<StudioContentsResult['channel']>['contents']>;

/** What is listed: the channel, and the filters and order of the query. */
interface ListScope extends Omit<StudioContentsVariables, 'id' | 'after'> {
  readonly channelId: string;
}

/** The contents of a channel: loaded pages, updated by actions, and polled while contents are processed. */
export function useContents(first: Page, { channelId, ...variables }: ListScope, uploads: readonly UploadItem[]) {
  const [contents, setContents] = useState<readonly StudioContentFragment[]>(first.edges.map(({ node }) => node));
  const [pageInfo, setPageInfo] = useState(first.pageInfo);
  const change = (content: StudioContentFragment): void =>
    setContents((known) => known.map((each) => (each.id === content.id ? content : each)));
  const add = (content: StudioContentFragment): void =>
    setContents((known) => [content, ...known.filter(({ id }) => id !== content.id)]);
  const remove = (id: string): void => setContents((known) => known.filter((each) => each.id !== id));
  const more = async (): Promise<void> => {
    const page = (await api(StudioContents, { ...variables, id: channelId, after: pageInfo.endCursor })).channel
      ?.contents;
    if (!page) return;
    setPageInfo(page.pageInfo);
    setContents((known) => [
      ...new Map([...known, ...page.edges.map(({ node }) => node)].map((each) => [each.id, each])).values(),
    ]);
  };
  const settling = useRef(new Map<string, number>());
  const polled = contents.filter((content) => {
    const { id, status } = content;
    const isSent = status === 'DRAFT' && uploadFor(uploads, id)?.phase === 'sent';
    const isProcessing = status === 'PROCESSING' || isSent || isBeingProcessed(content);
    if (isProcessing) settling.current.set(id, Date.now() + SETTLE_MS);
    return isProcessing || (status === 'READY' && (settling.current.get(id) ?? 0) > Date.now());
  });
  const refresh = async (id: string): Promise<null> => {
    const content = await loadContent(id);
    if (content) change(content);
    else remove(id);
    return null;
  };
  useQueries({
    queries: polled.map(({ id }) => ({
      queryKey: ['refresh', id],
      queryFn: () => refresh(id),
      refetchInterval: POLL_MS,
      gcTime: 0,
    })),
  });
  return { contents, hasMore: pageInfo.hasNextPage, add, change, remove, more, refresh };
}

/** A content as it is now; null if it was deleted. */
async function loadContent(id: string): Promise<StudioContentFragment | null> {
  try {
    return (await api(StudioContentItem, { id })).content;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'RESOURCE_NOT_FOUND') return null;
    throw error;
  }
}
