import { useCallback, useEffect, useState } from 'react';
import {
  type ContentKind,
  type StudioContentFragment,
  StudioContentItem,
  StudioContents,
  type StudioContentsResult,
} from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import type { UploadState } from '../video/uploads.ts';

const POLL_MS = 1500;

type Page = NonNullable<NonNullable<StudioContentsResult['channel']>['contents']>;

/** The list that is shown: of which channel, and of which kinds. */
interface ListScope {
  readonly channelId: string;
  readonly kinds: readonly ContentKind[];
}

/** One's own videos: the loaded pages, changed in place by actions, and asked again while something is on its way. */
export function useContents(first: Page, { channelId, kinds }: ListScope, uploads: ReadonlyMap<string, UploadState>) {
  const [contents, setContents] = useState<readonly StudioContentFragment[]>(first.edges.map(({ node }) => node));
  const [pageInfo, setPageInfo] = useState(first.pageInfo);
  const change = useCallback((content: StudioContentFragment): void => {
    setContents((known) => known.map((each) => (each.id === content.id ? content : each)));
  }, []);
  const add = (content: StudioContentFragment): void => setContents((known) => [content, ...known.filter(({ id }) => id !== content.id)]);
  const remove = useCallback((id: string): void => setContents((known) => known.filter((each) => each.id !== id)), []);
  const more = async (): Promise<void> => {
    const page = (await api(StudioContents, { id: channelId, kinds, after: pageInfo.endCursor })).channel?.contents;
    if (!page) return;
    setPageInfo(page.pageInfo);
    setContents((known) => [...new Map([...known, ...page.edges.map(({ node }) => node)].map((each) => [each.id, each])).values()]);
  };
  const moving = contents
    .filter(({ id, status }) => status === 'PROCESSING' || (status === 'DRAFT' && uploads.get(id)?.phase === 'sent'))
    .map(({ id }) => id)
    .join(' ');
  useEffect(() => {
    if (moving === '') return;
    let current = true;
    const timer = setInterval(() => {
      for (const id of moving.split(' ')) {
        api(StudioContentItem, { id })
          .then(({ content }) => current && (content ? change(content) : remove(id)))
          .catch(() => undefined); // asked again at the next tick
      }
    }, POLL_MS);
    return () => {
      current = false;
      clearInterval(timer);
    };
  }, [moving, change, remove]);
  return { contents, hasMore: pageInfo.hasNextPage, add, change, remove, more };
}
