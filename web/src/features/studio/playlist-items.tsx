import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { EmptyPlaylist, PlacePlaylistItem, StudioPlaylist, type StudioPlaylistResult } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { clockTime } from '../../lib/format.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Sortable } from '../../ui/sortable.tsx';
import { KIND_NAMES } from './kinds.ts';
import { moved } from './reorder.ts';

/** A playlist as its own page shows it. */
export type EditedPlaylist = NonNullable<StudioPlaylistResult['playlist']>;
type Item = EditedPlaylist['items']['edges'][number]['node'];

const titleOf = (item: Item): string => item.content?.metadata.title ?? 'A video that is gone';

/** What is in a playlist: put in order, taken out one by one or several at once. */
export function PlaylistItems({ playlist, mayEdit }: { playlist: EditedPlaylist; mayEdit: boolean }) {
  const router = useRouter();
  const [items, setItems] = useState<readonly Item[]>([]);
  const [pageInfo, setPageInfo] = useState(playlist.items.pageInfo);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const action = useAction();
  useEffect(() => {
    setItems(playlist.items.edges.map(({ node }) => node));
    setPageInfo(playlist.items.pageInfo);
  }, [playlist]);
  const place = (from: number, to: number): void => {
    const before = items;
    const id = before[from]?.id;
    if (!id) return;
    setItems(moved(before, from, to));
    action.run('move', async () => {
      await api(PlacePlaylistItem, { id, index: to }).catch((error: unknown) => {
        setItems(before);
        throw error;
      });
    });
  };
  const remove = async (): Promise<void> => {
    await api(EmptyPlaylist, { id: playlist.id, itemIds: [...selected].slice(0, 100) });
    setSelected(new Set());
    await router.invalidate();
  };
  const more = async (): Promise<void> => {
    const page = (await api(StudioPlaylist, { id: playlist.id, after: pageInfo.endCursor })).playlist?.items;
    if (!page) return;
    setPageInfo(page.pageInfo);
    setItems((known) => [...known, ...page.edges.map(({ node }) => node)]);
  };
  const select = (id: string, on: boolean): void =>
    setSelected((known) => new Set(on ? [...known, id] : [...known].filter((each) => each !== id)));
  return (
    <Panel title="Videos" hint={items.length === 0 ? 'Nothing in it yet. Add videos of the channel below.' : undefined}>
      {items.length > 0 && (
        <Sortable label="Videos in order" items={items} nameOf={titleOf} enabled={mayEdit} onMove={place}>
          {(item) => (
            <div className="flex items-center gap-3">
              {mayEdit && (
                <input
                  type="checkbox"
                  aria-label={`Select ${titleOf(item)}`}
                  checked={selected.has(item.id)}
                  onChange={(event) => select(item.id, event.currentTarget.checked)}
                  className="size-4 shrink-0 accent-accent"
                />
              )}
              <span className="min-w-0 grow [overflow-wrap:anywhere]">
                <span className="font-semibold">{titleOf(item)}</span>{' '}
                {item.content && (
                  <span className="text-sm text-muted">
                    {KIND_NAMES[item.content.kind]}
                    {item.content.metadata.duration !== null && ` · ${clockTime(item.content.metadata.duration)}`}
                  </span>
                )}
              </span>
            </div>
          )}
        </Sortable>
      )}
      {selected.size > 0 && (
        <Button busy={action.busy === 'remove'} onClick={() => action.run('remove', remove)}>
          Remove selected ({selected.size})
        </Button>
      )}
      {action.error !== null && <ErrorNotice error={action.error} />}
      {pageInfo.hasNextPage && (
        <Button busy={action.busy === 'more'} onClick={() => action.run('more', more)}>
          Show more
        </Button>
      )}
    </Panel>
  );
}
