import { useEffect, useState } from 'react';
import {
  type ContentKind,
  EpisodeQueue,
  type PlaylistEntryFragment,
  PlaylistItems,
  type PlaylistItemsResult,
  type QueueEpisodesFragment,
} from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { didOf, namespace, shortOf, watchPath } from '../../lib/did.ts';
import { placeOf, type Queue, type QueueEntry } from './queue.ts';

type Known = Omit<Queue, 'index'> & { readonly list: string | undefined };
interface Watching {
  readonly id: string;
  readonly kind: ContentKind;
}
interface Place {
  /** Short ids of the playlist and of the place in it, as the address says. */
  readonly list?: string;
  readonly item?: string;
}

/** What the content is played in: the playlist of the address, else its season or miniseries. Null while it is not known, and where there is none. */
export function useQueue({ id, kind }: Watching, { list, item }: Place): Queue | null {
  const [known, setKnown] = useState<Known | null>(null);
  const covered = known !== null && known.list === list && known.entries.some(({ content }) => content.id === id);
  useEffect(() => {
    if (covered) return;
    let current = true;
    setKnown(null);
    const asked = list ? playlistAround(list, id) : kind === 'EPISODE' ? episodesAround(id) : null;
    asked?.then((queue) => current && setKnown(queue)).catch(() => undefined); // the page is whole without it
    return () => {
      current = false;
    };
  }, [id, kind, list, covered]);
  return known && { ...known, index: placeOf(known.entries, id, item) };
}

async function episodesAround(id: string): Promise<Known | null> {
  const { episode } = await api(EpisodeQueue, { id });
  const { associatedSeason: season, associatedSeries: serie, associatedMiniseries: mini } = episode ?? {};
  if (mini) return known(mini.metadata.title, `/series/${watchPath(mini.id)}`, mini.episodes);
  if (!season || !serie) return null;
  const { number } = season.metadata;
  const path = `/series/${watchPath(serie.id).replace(/^serie\//, '')}?season=${number}`;
  return known(`${serie.metadata.title}, season ${number}`, path, season.episodes);
}

function known(title: string, path: string, { edges, totalCount }: QueueEpisodesFragment): Known {
  const entries = edges.map(({ node }): QueueEntry => {
    const label = `${node.metadata.number}. ${node.metadata.title}`;
    return { key: node.id, label, content: { ...node, kind: 'EPISODE' }, search: {} };
  });
  return { title, path, entries, totalCount, list: undefined };
}

/** Pages of a hundred until the content is among them; playlists hold at most 5,000. */
const MOST_PAGES = 50;

async function pageOf(id: string, after: string | null): Promise<PlaylistItemsResult['playlist']> {
  return (await api(PlaylistItems, { id, after })).playlist;
}

async function playlistAround(list: string, contentId: string): Promise<Known | null> {
  const id = didOf('content/playlist', list, namespace());
  if (!id) return null;
  const items: PlaylistEntryFragment[] = [];
  let after: string | null = null;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const playlist = await pageOf(id, after);
    if (!playlist) return null;
    items.push(...playlist.items.edges.map(({ node }) => node));
    const { hasNextPage, endCursor } = playlist.items.pageInfo;
    if (!hasNextPage || items.some(({ content }) => content?.id === contentId)) {
      const { title } = playlist.metadata;
      return { title, path: `/playlist/${list}`, entries: entriesOf(items, list), totalCount: playlist.items.totalCount, list };
    }
    after = endCursor;
  }
  return null;
}

/** What cannot be watched any more, and series, which have pages of their own, are passed over. */
function entriesOf(items: readonly PlaylistEntryFragment[], list: string): readonly QueueEntry[] {
  return items.flatMap(({ id, content }) => {
    if (!content || content.kind === 'SERIE' || content.kind === 'SEASON' || content.kind === 'MINISERIE') return [];
    return [{ key: id, label: content.metadata.title, content, search: { list, item: shortOf(id) } }];
  });
}
