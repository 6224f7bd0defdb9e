import type { CommandContext } from '../../gql/index.ts';
import { AppError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { grouped, t } from '../../kernel/languages/message.ts';
import { authorize } from '../../kernel/policy.ts';
import type { Transaction } from '../../platform/db/database.ts';
import { appendEvent } from '../../platform/events/event-log.store.ts';
import { type BatchResult, failed, succeeded } from '../catalog/index.ts';
import { contentMissing, type Entry, MAX_ITEMS, type NamedContent, type TargetPosition } from './item-input.ts';
import { itemNotFound, PLAYLIST_CHANGE } from './playlist.policy.ts';
import {
  countItems,
  gapAt,
  gapBeside,
  insertItems,
  itemsInOrder,
  type LockedPlaylist,
  lockPlaylist,
  moveItems,
  positionsOf,
  presentItems,
  removeItems,
  touchPlaylist,
  visibleContents,
} from './playlist-items.store.ts';
import { areInGap, areWorn, type Gap, positionsIn } from './positions.ts';

/** Result of adding a content. */
export interface AddedItem extends BatchResult {
  /** DID of the new item; null when there is none. */
  readonly itemId: string | null;
}

/**
 * Changes a playlist in one transaction, under the lock of its row: concurrent changes are serialized. Throws
 * RESOURCE_NOT_FOUND or UNAUTHORIZED with `field` when the account may not change the playlist.
 */
export function changingPlaylist<T>(
  context: CommandContext,
  playlistId: string,
  field: string,
  work: (tx: Transaction, playlist: LockedPlaylist) => Promise<T>,
  policy = PLAYLIST_CHANGE,
): Promise<T> {
  return context.services.playlists.db.transaction(async (tx) => {
    const playlist = await lockPlaylist(tx, playlistId, context.scope);
    authorize(policy, playlist, field);
    return work(tx, playlist);
  });
}

/**
 * Adds contents at a position, in the order given. Contents that are missing, hidden from the account or over the limit
 * of the playlist are reported separately; the others are added.
 */
export async function addItems(
  context: CommandContext,
  tx: Transaction,
  playlist: Pick<LockedPlaylist, 'id' | 'channelId'>,
  contents: readonly Entry<NamedContent>[],
  place: TargetPosition,
): Promise<AddedItem[]> {
  const wanted = contents.flatMap((entry) => ('named' in entry ? [entry.named.id] : []));
  const visible = await visibleContents(tx, [...new Set(wanted)], context.scope);
  let room = MAX_ITEMS - (await countItems(tx, playlist.id));
  const items: { id: string; contentId: string }[] = [];
  const results = contents.map((entry): AddedItem => {
    if ('refused' in entry) return { ...entry.refused, itemId: null };
    const { sent, field, named } = entry;
    if (visible.get(named.id) !== named.kind) return { ...failed(sent, contentMissing(field)), itemId: null };
    if (room === 0) return { ...failed(sent, playlistFull(field)), itemId: null };
    room -= 1;
    const id = newId<'playlist-item'>(context.nowMs);
    items.push({ id, contentId: named.id });
    return { ...succeeded(sent), itemId: context.did('playlistItem', id) };
  });
  const positions = await positionsAt(tx, playlist.id, [], place, items.length);
  if (items.length === 0) return results;
  await insertItems(tx, playlist.id, items, positions, new Date(context.nowMs).toISOString());
  await reportChange(context, tx, playlist, { added: items.length });
  return results;
}

/** Moves items to a position, in the order given; items that are not in the playlist are reported separately. */
export async function moveItemsTo(
  context: CommandContext,
  tx: Transaction,
  playlist: LockedPlaylist,
  entries: readonly Entry<string>[],
  place: TargetPosition,
): Promise<BatchResult[]> {
  const { ids, results } = await present(tx, playlist.id, entries);
  if ('itemId' in place && ids.includes(place.itemId)) {
    const field = `input.${place.side}`;
    throw new AppError('INVALID_INPUT', t`An item cannot be moved before or after itself.`, {
      field,
      suggestedFix: t`Send an item in ${field} that is not being moved.`,
    });
  }
  const gap = await gapOf(tx, playlist.id, ids, place);
  if (ids.length === 0 || areInGap(await positionsOf(tx, playlist.id, ids), gap)) return results;
  const positions = await positionsAt(tx, playlist.id, ids, place, ids.length);
  await moveItems(tx, playlist.id, ids, positions);
  await reportChange(context, tx, playlist, { moved: ids.length });
  return results;
}

/** Removes items; items that are not in the playlist are reported separately. The contents are kept. */
export async function removeItemsOf(
  context: CommandContext,
  tx: Transaction,
  playlist: LockedPlaylist,
  entries: readonly Entry<string>[],
): Promise<BatchResult[]> {
  const { ids, results } = await present(tx, playlist.id, entries);
  if (ids.length === 0) return results;
  await removeItems(tx, playlist.id, ids);
  await reportChange(context, tx, playlist, { removed: ids.length });
  return results;
}

/** The items that are in the playlist, and the result for each entry. */
async function present(
  tx: Transaction,
  playlistId: string,
  entries: readonly Entry<string>[],
): Promise<{ ids: string[]; results: BatchResult[] }> {
  const named = entries.flatMap((entry) => ('named' in entry ? [entry.named] : []));
  const there = await presentItems(tx, playlistId, named);
  const results = entries.map((entry) => {
    if ('refused' in entry) return entry.refused;
    return there.has(entry.named) ? succeeded(entry.sent) : failed(entry.sent, itemNotFound(entry.field));
  });
  return { ids: named.filter((id) => there.has(id)), results };
}

/** Positions for `count` items at a target position. Long positions are shortened first by renumbering the playlist. */
async function positionsAt(
  tx: Transaction,
  playlistId: string,
  moving: readonly string[],
  place: TargetPosition,
  count: number,
): Promise<string[]> {
  const positions = positionsIn(await gapOf(tx, playlistId, moving, place), count);
  if (!areWorn(positions)) return positions;
  const order = await itemsInOrder(tx, playlistId);
  await moveItems(tx, playlistId, order, positionsIn({ below: null, above: null }, order.length));
  return positionsIn(await gapOf(tx, playlistId, moving, place), count);
}

async function gapOf(
  tx: Transaction,
  playlistId: string,
  moving: readonly string[],
  place: TargetPosition,
): Promise<Gap> {
  if ('index' in place) return gapAt(tx, playlistId, moving, place.index);
  const gap = await gapBeside(tx, playlistId, moving, place.side, place.itemId);
  if (!gap) throw itemNotFound(`input.${place.side}`);
  return gap;
}

async function reportChange(
  { nowMs }: CommandContext,
  tx: Transaction,
  { id, channelId }: Pick<LockedPlaylist, 'id' | 'channelId'>,
  payload: Readonly<Record<string, number>>,
): Promise<void> {
  await touchPlaylist(tx, id, new Date(nowMs).toISOString());
  await appendEvent(tx, { type: 'playlist.updated', channelId, subjectId: id, payload });
}

function playlistFull(field: string): AppError {
  return new AppError('INVALID_INPUT', t`A playlist holds at most ${grouped(MAX_ITEMS)} items.`, {
    field,
    suggestedFix: t`Remove items first, or continue in another playlist.`,
  });
}
