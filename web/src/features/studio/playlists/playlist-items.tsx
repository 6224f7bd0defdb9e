import { clockTime } from '../../../lib/format.ts';
import type { Selection } from '../../../lib/hooks/use-selection.ts';
import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorNotice, FailureList } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { SelectionBar } from '../../../ui/selection-bar.tsx';
import { Sortable } from '../../../ui/sortable.tsx';
import { KIND_NAMES } from '../kinds/kinds.ts';
import { type EditedPlaylist, type Item, type ItemList, titleOf, usePlaylistItems } from './use-playlist-items.ts';

/** Maximum number of items moved in one request. */
const MOST_MOVED = 100;

const factsOf = ({ kind, metadata: { duration } }: NonNullable<Item['content']>): string =>
  [KIND_NAMES[kind], duration !== null && clockTime(duration)].filter(Boolean).join(' · ');

/** The items of a playlist: reorder and remove, with bulk actions. */
export function PlaylistItems({ playlist, mayEdit }: { playlist: EditedPlaylist; mayEdit: boolean }) {
  const list = usePlaylistItems(playlist);
  const { items, selection, busy, error } = list;
  const { itemsCount } = playlist;
  return (
    <Panel title={t`Videos`} hint={itemsCount === 0 ? t`No videos yet. Add videos below.` : undefined}>
      {mayEdit && items.length > 1 && <BulkActions list={list} />}
      {items.length > 0 && (
        <Sortable label={t`Playlist videos`} items={items} nameOf={titleOf} enabled={mayEdit} onMove={list.move}>
          {(item) => <ItemRow item={item} selection={mayEdit ? selection : null} />}
        </Sortable>
      )}
      <FailureList lines={list.refused} />
      {error !== null && <ErrorNotice error={error} />}
      {list.hasMore && <Button busy={busy === 'more'} onClick={list.showMore}>{t`Show more`}</Button>}
    </Panel>
  );
}

/** Selects items, and moves or removes the selected ones. */
function BulkActions({ list }: { list: ItemList }) {
  const { items, selection, chosen, busy } = list;
  const movable = chosen.length > 0 && chosen.length <= MOST_MOVED;
  return (
    <SelectionBar all={items.map(({ id }) => id)} selection={selection}>
      <Button disabled={!movable} busy={busy === 'top'} onClick={list.moveToTop}>{t`Move to top`}</Button>
      <Button disabled={!movable} busy={busy === 'end'} onClick={list.moveToBottom}>{t`Move to bottom`}</Button>
      <Button disabled={chosen.length === 0} busy={busy === 'remove'} onClick={list.removeChosen}>{t`Remove`}</Button>
    </SelectionBar>
  );
}

/** An item with its title and facts; `selection` is null where it cannot be selected. */
function ItemRow({ item, selection }: { item: Item; selection: Selection | null }) {
  const title = titleOf(item);
  return (
    <div className="flex items-center gap-3">
      {selection && (
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
}
