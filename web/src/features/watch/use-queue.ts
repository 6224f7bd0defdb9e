import { useEffect, useState } from 'react';
import { type ContentKind, EpisodeQueue, type QueueEpisodesFragment } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { watchPath } from '../../lib/did.ts';
import { placeOf, type Queue, type QueueEntry } from './queue.ts';

type Known = Omit<Queue, 'index'>;

/** What the content is played in: its season or miniseries. Null while it is not known, and where there is none. */
export function useQueue(content: { readonly id: string; readonly kind: ContentKind }): Queue | null {
  const [known, setKnown] = useState<Known | null>(null);
  const { id, kind } = content;
  const covered = known?.entries.some((entry) => entry.content.id === id) ?? false;
  useEffect(() => {
    if (covered) return;
    let current = true;
    setKnown(null);
    if (kind !== 'EPISODE') return;
    episodesAround(id)
      .then((queue) => current && setKnown(queue))
      .catch(() => undefined); // the page is whole without it
    return () => {
      current = false;
    };
  }, [id, kind, covered]);
  return known && { ...known, index: placeOf(known.entries, id, undefined) };
}

async function episodesAround(id: string): Promise<Known | null> {
  const { episode } = await api(EpisodeQueue, { id });
  const { associatedSeason: season, associatedSeries: serie, associatedMiniseries: mini } = episode ?? {};
  if (mini) return known(mini.metadata.title, `/series/${watchPath(mini.id)}`, mini.episodes);
  if (!season || !serie) return null;
  const { number } = season.metadata;
  return known(
    `${serie.metadata.title}, season ${number}`,
    `/series/${watchPath(serie.id).replace(/^serie\//, '')}?season=${number}`,
    season.episodes,
  );
}

function known(title: string, path: string, { edges, totalCount }: QueueEpisodesFragment): Known {
  const entries = edges.map(({ node }): QueueEntry => {
    const label = `${node.metadata.number}. ${node.metadata.title}`;
    return { key: node.id, label, content: { ...node, kind: 'EPISODE' }, search: {} };
  });
  return { title, path, entries, totalCount };
}
