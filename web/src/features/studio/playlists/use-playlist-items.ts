import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import {
  type BatchFragment,
  MovePlaylistItem,
  MovePlaylistItems,
  RemovePlaylistItems,
  StudioPlaylist,
  type StudioPlaylistResult,
} from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import { useAction } from '../../../lib/hooks/use-action.ts';
import { useSelection } from '../../../lib/hooks/use-selection.ts';
import { t } from '../../../lib/i18n.ts';
import { inBatches } from '../../../lib/in-batches.ts';
import { moveItem } from './reorder.ts';

/** A playlist as loaded for its editor. */
export type EditedPlaylist = NonNullable<StudioPlaylistResult['playlist']>;
export type Item = EditedPlaylist['items']['edges'][number]['node'];

export const titleOf = (item: Item): string => item.content?.metadata.title ?? t`Unavailable video`;

/** The loaded items of a playlist with their selection, and what changes them. */
export type ItemList = ReturnType<typeof usePlaylistItems>;

/** The items of a playlist while they are edited: a move shows at once, and goes back if it could not be saved. */
export function usePlaylistItems(playlist: EditedPlaylist) {
  const router = useRouter();
  const [items, setItems] = useState<readonly Item[]>([]);
  const [pageInfo, setPageInfo] = useState(playlist.items.pageInfo);
  const [refused, setRefused] = useState<readonly string[]>([]);
  const selection = useSelection();
  const action = useAction();
  useEffect(() => {
    setItems(playlist.items.edges.map(({ node }) => node));
    setPageInfo(playlist.items.pageInfo);
  }, [playlist]);
  /** The selected items, in the order of the playlist. */
  const chosen = items.map(({ id }) => id).filter((id) => selection.ids.has(id));
  const move = (from: number, to: number): void => {
    const before = items;
    const id = before[from]?.id;
    if (!id) return;
    setItems(moveItem(before, from, to));
    action.run('move', async () => {
      await api(MovePlaylistItem, { id, index: to }).catch((error: unknown) => {
        setItems(before);
        throw error;
      });
    });
  };
  const settle = async (results: readonly BatchFragment[]): Promise<void> => {
    setRefused(refusals(results, items));
    selection.clear();
    await router.invalidate({ sync: true });
  };
  const placeChosen = async (index: number | null): Promise<void> => {
    const input = { id: playlist.id, itemIds: chosen, index };
    await settle((await api(MovePlaylistItems, input)).movePlaylistItems.results);
  };
  const remove = async (itemIds: readonly string[]): Promise<readonly BatchFragment[]> =>
    (await api(RemovePlaylistItems, { id: playlist.id, itemIds })).removePlaylistItems.results;
  const loadMore = async (): Promise<void> => {
    const page = (await api(StudioPlaylist, { id: playlist.id, after: pageInfo.endCursor })).playlist?.items;
    if (!page) return;
    setPageInfo(page.pageInfo);
    setItems((known) => [...known, ...page.edges.map(({ node }) => node)]);
  };
  return {
    ...{ items, selection, chosen, refused, move },
    hasMore: pageInfo.hasNextPage,
    busy: action.busy,
    error: action.error,
    moveToTop: () => action.run('top', () => placeChosen(0)),
    moveToBottom: () => action.run('end', () => placeChosen(null)),
    removeChosen: () => action.run('remove', async () => settle(await inBatches(chosen, remove))),
    showMore: () => action.run('more', loadMore),
  };
}

/** Why items were not changed, a line for each. */
function refusals(results: readonly BatchFragment[], items: readonly Item[]): string[] {
  const titles = new Map(items.map((item) => [item.id, titleOf(item)]));
  return results.flatMap(({ id, error }) =>
    error ? [`${titles.get(id)}: ${error.message} ${error.suggestedFix}`] : [],
  );
}
