import { useEffect, useState } from 'react';
import { type PictureFragment, PlaylistCovers } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { pick } from '../../ui/picture.tsx';

/** Playlists whose picture is asked for with the next request, and those who wait for it. */
const waiting = new Map<string, ((image: PictureFragment | null) => void)[]>();
const MOST_IDS = 50;

/** The picture of what comes first in a playlist; null while it is not known, where there is none, and for null. */
export function useFirstPicture(playlistId: string | null): PictureFragment | null {
  const [image, setImage] = useState<PictureFragment | null>(null);
  useEffect(() => {
    setImage(null);
    if (!playlistId) return;
    let current = true;
    void firstPicture(playlistId).then((found) => current && setImage(found));
    return () => {
      current = false;
    };
  }, [playlistId]);
  return image;
}

/** All cards of a page ask in one moment: they share a request. */
function firstPicture(id: string): Promise<PictureFragment | null> {
  return new Promise((resolve) => {
    if (waiting.size === 0) queueMicrotask(() => void askAll());
    waiting.set(id, [...(waiting.get(id) ?? []), resolve]);
  });
}

async function askAll(): Promise<void> {
  const asked = new Map(waiting);
  waiting.clear();
  const ids = [...asked.keys()];
  for (let start = 0; start < ids.length; start += MOST_IDS) {
    const some = ids.slice(start, start + MOST_IDS);
    // A playlist without a picture is a playlist all the same.
    const found = await picturesOf(some).catch(() => new Map<string, PictureFragment | null>());
    for (const id of some) for (const resolve of asked.get(id) ?? []) resolve(found.get(id) ?? null);
  }
}

async function picturesOf(ids: readonly string[]): Promise<Map<string, PictureFragment | null>> {
  const { nodes } = await api(PlaylistCovers, { ids });
  return new Map(
    nodes.flatMap((node) => {
      if (!node || !('items' in node)) return [];
      const content = node.items.edges[0]?.node.content;
      return [[node.id, content ? pick(content.assets.images, 'THUMBNAIL', 'POSTER') : null] as const];
    }),
  );
}
