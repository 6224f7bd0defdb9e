import { useEffect, useState } from 'react';
import {
  type ContentKind,
  type EpisodeCardFragment,
  type EpisodePageFragment,
  EpisodeSource,
  MiniserieEpisodes,
  type PlaylistEntryFragment,
  PlaylistItems,
  type PlaylistItemsResult,
  SeasonEpisodes,
  WatchLater,
  type WatchLaterResult,
} from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { contentTail, didOf, didSuffix, namespace, seriesTail } from '../../lib/did.ts';
import { t } from '../../lib/i18n.ts';
import { indexInQueue, isPlayedKind, type Queue, type QueueEntry, WATCH_LATER_LIST } from './queue.ts';

type Known = Omit<Queue, 'index'> & { readonly list: string | undefined };
interface Watching {
  readonly id: string;
  readonly kind: ContentKind;
}
interface Place {
  /** Ids of the playlist and the playlist item, from the URL. */
  readonly list?: string;
  readonly item?: string;
}

/** Maximum number of pages to load until the current video is found; playlists hold at most 10,000 items. */
const MOST_PAGES = 100;

/**
 * The queue of a content: the playlist in the URL, otherwise its season or miniseries. Null while loading and without a
 * queue.
 */
export function useQueue({ id, kind }: Watching, { list, item }: Place): Queue | null {
  const [known, setKnown] = useState<Known | null>(null);
  const covered = known !== null && known.list === list && known.entries.some(({ content }) => content.id === id);
  useEffect(() => {
    if (covered) return;
    let current = true;
    setKnown(null);
    const asked = list ? listAround(list, id) : kind === 'EPISODE' ? episodesAround(id) : null;
    asked?.then((queue) => current && setKnown(queue)).catch(() => undefined); // optional on this page
    return () => {
      current = false;
    };
  }, [id, kind, list, covered]);
  return known && { ...known, index: indexInQueue(known.entries, id, item) };
}

async function episodesAround(id: string): Promise<Known | null> {
  const { episode } = await api(EpisodeSource, { id });
  const { associatedSeason: season, associatedSeries: serie, associatedMiniseries: mini } = episode ?? {};
  if (mini) {
    const pageOf = async (after: string | null) =>
      (await api(MiniserieEpisodes, { id: mini.id, after })).miniserie?.episodes ?? null;
    return known(mini.metadata.title, `/series/${contentTail(mini.id)}`, await episodesUntil(id, pageOf));
  }
  if (!season || !serie) return null;
  const { number } = season.metadata;
  const path = `/series/${seriesTail(serie.id)}?season=${number}`;
  const pageOf = async (after: string | null) =>
    (await api(SeasonEpisodes, { id: season.id, after })).season?.episodes ?? null;
  const { title } = serie.metadata;
  return known(number === null ? title : t`${title}, season ${number}`, path, await episodesUntil(id, pageOf));
}

interface Episodes {
  readonly episodes: readonly EpisodeCardFragment[];
  readonly totalCount: number;
}

/** Loads pages of episodes until the current one is included. */
async function episodesUntil(
  id: string,
  pageOf: (after: string | null) => Promise<EpisodePageFragment | null>,
): Promise<Episodes> {
  const episodes: EpisodeCardFragment[] = [];
  let after: string | null = null;
  for (let count = 0; count < MOST_PAGES; count += 1) {
    const page: EpisodePageFragment | null = await pageOf(after);
    if (!page) break;
    episodes.push(...page.edges.map(({ node }) => node));
    if (!page.pageInfo.hasNextPage || episodes.some((episode) => episode.id === id))
      return { episodes, totalCount: page.totalCount };
    after = page.pageInfo.endCursor;
  }
  return { episodes, totalCount: episodes.length };
}

function known(title: string, path: string, { episodes, totalCount }: Episodes): Known {
  const entries = episodes.map((episode): QueueEntry => {
    const label = `${episode.metadata.number}. ${episode.card.title}`;
    return { key: episode.id, label, content: { ...episode, kind: 'EPISODE' }, search: {} };
  });
  return { title, path, entries, totalCount, list: undefined };
}

function listAround(list: string, contentId: string): Promise<Known | null> {
  return list === WATCH_LATER_LIST ? watchLaterAround(contentId) : playlistAround(list, contentId);
}

async function watchLaterAround(contentId: string): Promise<Known | null> {
  const entries: QueueEntry[] = [];
  let after: string | null = null;
  let totalCount = 0;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { watchLater }: WatchLaterResult['me'] = (await api(WatchLater, { after })).me;
    const contents = watchLater.edges.map(({ node }) => node).filter(isPlayedKind);
    const search = { list: WATCH_LATER_LIST };
    entries.push(...contents.map((content) => ({ key: content.id, label: content.card.title, content, search })));
    totalCount = watchLater.totalCount;
    after = watchLater.pageInfo.endCursor;
    if (!watchLater.pageInfo.hasNextPage || contents.some(({ id }) => id === contentId)) break;
  }
  return { title: t`Watch later`, path: '/watch-later', entries, totalCount, list: WATCH_LATER_LIST };
}

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
      return {
        title,
        path: `/playlist/${list}`,
        entries: entriesOf(items, list),
        totalCount: playlist.items.totalCount,
        list,
      };
    }
    after = endCursor;
  }
  return null;
}

/** Skips unavailable items and series, which cannot be played. */
function entriesOf(items: readonly PlaylistEntryFragment[], list: string): readonly QueueEntry[] {
  return items.flatMap(({ id, content }) => {
    if (!content || !isPlayedKind(content)) return [];
    return [{ key: id, label: content.card.title, content, search: { list, item: didSuffix(id) } }];
  });
}
