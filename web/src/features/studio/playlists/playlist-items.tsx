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
import { clockTime } from '../../../lib/format.ts';
import { useAction } from '../../../lib/hooks/use-action.ts';
import { useSelection } from '../../../lib/hooks/use-selection.ts';
import { t } from '../../../lib/i18n.ts';
import { inBatches } from '../../../lib/in-batches.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorNotice, FailureList } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { SelectionBar } from '../../../ui/selection-bar.tsx';
import { Sortable } from '../../../ui/sortable.tsx';
import { KIND_NAMES } from '../kinds/kinds.ts';
import { moveItem } from './reorder.ts';

/** A playlist as loaded for its editor. */
export type EditedPlaylist = NonNullable<StudioPlaylistResult['playlist']>;
type Item = EditedPlaylist['items']['edges'][number]['node'];

/** Maximum number of items moved in one request. */
const MOST_MOVED = 100;

const titleOf = (item: Item): string => item.content?.metadata.title ?? t`Unavailable video`;

const factsOf = ({ kind, metadata: { duration } }: NonNullable<Item['content']>): string =>
  [KIND_NAMES[kind], duration !== null && clockTime(duration)].filter(Boolean).join(' · ');

/** The items of a playlist: reorder and remove, with bulk actions. */
export function PlaylistItems({ playlist, mayEdit }: { playlist: EditedPlaylist; mayEdit: boolean }) {
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
  const ids = items.map(({ id }) => id).filter((id) => selection.ids.has(id));
  const settle = async (results: readonly BatchFragment[]): Promise<void> => {
    const titles = new Map(items.map((item) => [item.id, titleOf(item)]));
    setRefused(
      results.flatMap(({ id, error }) => (error ? [`${titles.get(id)}: ${error.message} ${error.suggestedFix}`] : [])),
    );
    selection.clear();
    await router.invalidate();
  };
  const remove = async (): Promise<void> =>
    settle(
      await inBatches(
        ids,
        async (itemIds) => (await api(RemovePlaylistItems, { id: playlist.id, itemIds })).removePlaylistItems.results,
      ),
    );
  const placeAll = async (index: number | null): Promise<void> => {
    const input = { id: playlist.id, itemIds: ids, index };
    await settle((await api(MovePlaylistItems, input)).movePlaylistItems.results);
  };
  const more = async (): Promise<void> => {
    const page = (await api(StudioPlaylist, { id: playlist.id, after: pageInfo.endCursor })).playlist?.items;
    if (!page) return;
    setPageInfo(page.pageInfo);
    setItems((known) => [...known, ...page.edges.map(({ node }) => node)]);
  };
  const movable = ids.length > 0 && ids.length <= MOST_MOVED;
  const { itemsCount } = playlist;
  return (
    <Panel title={t`Videos`} hint={itemsCount === 0 ? t`No videos yet. Add videos below.` : undefined}>
      {mayEdit && items.length > 1 && (
        <SelectionBar all={items.map(({ id }) => id)} selection={selection}>
          <Button
            disabled={!movable}
            busy={action.busy === 'top'}
            onClick={() => action.run('top', () => placeAll(0))}
          >{t`Move to top`}</Button>
          <Button
            disabled={!movable}
            busy={action.busy === 'end'}
            onClick={() => action.run('end', () => placeAll(null))}
          >{t`Move to bottom`}</Button>
          <Button
            disabled={ids.length === 0}
            busy={action.busy === 'remove'}
            onClick={() => action.run('remove', remove)}
          >{t`Remove`}</Button>
        </SelectionBar>
      )}
      {items.length > 0 && (
        <Sortable label={t`Playlist videos`} items={items} nameOf={titleOf} enabled={mayEdit} onMove={move}>
          {(item) => {
            const title = titleOf(item);
            return (
              <div className="flex items-center gap-3">
                {mayEdit && (
                  <input
                    type="checkbox"
                    aria-label={t`Select ${title}`}
                    checked={selection.ids.has(item.id)}
                    onChange={(event) => selection.set([item.id], event.currentTarget.checked)}
                    className="size-5 shrink-0 accent-accent"
                  />
                )}
                <span className="min-w-0 grow [overflow-wrap:anywhere]">
                  <span className="font-semibold">
                    <bdi>{title}</bdi>
                  </span>{' '}
                  {item.content && <span className="text-sm text-muted">{factsOf(item.content)}</span>}
                </span>
              </div>
            );
          }}
        </Sortable>
      )}
      <FailureList lines={refused} />
      {action.error !== null && <ErrorNotice error={action.error} />}
      {pageInfo.hasNextPage && (
        <Button busy={action.busy === 'more'} onClick={() => action.run('more', more)}>{t`Show more`}</Button>
      )}
    </Panel>
  );
}
