import { useQuery } from '@tanstack/react-query';
import { type ImageFragment, PlaylistCovers } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';

/** Playlists whose image is part of the next request, with their waiting callers. */
const waiting = new Map<string, ((image: ImageFragment | null) => void)[]>();
const MOST_IDS = 50;

/** The image of the first item of a playlist; null while loading, without an image, and for null. */
export function useFirstItemImage(playlistId: string | null): ImageFragment | null {
  const { data = null } = useQuery({
    queryKey: ['PlaylistCovers', playlistId],
    queryFn: () => (playlistId === null ? null : requestImage(playlistId)),
    enabled: playlistId !== null,
  });
  return data;
}

/** Collects the requests of all cards of a page into one. */
function requestImage(id: string): Promise<ImageFragment | null> {
  return new Promise((resolve) => {
    if (waiting.size === 0) queueMicrotask(() => void flushRequests());
    waiting.set(id, [...(waiting.get(id) ?? []), resolve]);
  });
}

async function flushRequests(): Promise<void> {
  const asked = new Map(waiting);
  waiting.clear();
  const ids = [...asked.keys()];
  for (let start = 0; start < ids.length; start += MOST_IDS) {
    const some = ids.slice(start, start + MOST_IDS);
    // Images are optional.
    const found = await loadImages(some).catch(() => new Map<string, ImageFragment | null>());
    for (const id of some) for (const resolve of asked.get(id) ?? []) resolve(found.get(id) ?? null);
  }
}

async function loadImages(ids: readonly string[]): Promise<Map<string, ImageFragment | null>> {
  const { nodes } = await api(PlaylistCovers, { ids });
  return new Map(
    nodes.flatMap((node) => {
      if (!node || !('items' in node)) return [];
      const content = node.items.edges[0]?.node.content;
      return [[node.id, content?.card.image ?? null] as const];
    }),
  );
}
