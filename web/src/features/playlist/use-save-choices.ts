import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type SaveChoiceFragment, SaveChoices } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { nodesOf } from '../../lib/hooks/use-pages.ts';
import { KEEP_PREVIOUS } from '../../lib/query.ts';

const TYPING_MS = 250;

/** The lists that a video can be saved to, where `wanted` is in their title; those created here come first. */
export function useSaveChoices(contentId: string, wanted: string) {
  const [created, setCreated] = useState<readonly SaveChoiceFragment[]>([]);
  const choices = useInfiniteQuery({
    queryKey: ['SaveChoices', contentId, wanted],
    queryFn: ({ pageParam: after }) => api(SaveChoices, { id: contentId, ...(wanted ? { title: wanted } : {}), after }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ channel }) =>
      channel?.playlists.pageInfo.hasNextPage ? channel.playlists.pageInfo.endCursor : null,
    gcTime: 0, // the state of the lists changes on other pages
    ...KEEP_PREVIOUS,
  });
  const pages = choices.data?.pages.flatMap(({ channel }) => (channel ? [channel.playlists] : [])) ?? [];
  const known = new Set(created.map(({ id }) => id));
  const playlists = [...created, ...nodesOf<SaveChoiceFragment>(pages).filter(({ id }) => !known.has(id))];
  const content = choices.data?.pages[0]?.content;
  const total = pages[0]?.totalCount ?? 0;
  const addCreated = (playlist: SaveChoiceFragment): void => setCreated([playlist, ...created]);
  return { choices, content, playlists, total, addCreated };
}

/** The value once nothing has been typed for a moment. */
export function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), TYPING_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
