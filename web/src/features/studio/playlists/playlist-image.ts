import type { ImageFragment, StudioPlaylistCardFragment } from '../../../gql/generated/operations.gen.ts';
import { pickImage } from '../../../ui/image.tsx';
import { useFirstItemImage } from '../../playlist/first-item-image.ts';

/** The cover of a playlist, or the picture of what comes first in it; null while that is not known, and where there is none. */
export function usePlaylistImage({ id, itemsCount, assets }: StudioPlaylistCardFragment): ImageFragment | null {
  const own = pickImage(assets.images, 'THUMBNAIL', 'POSTER');
  const first = useFirstItemImage(own === null && itemsCount > 0 ? id : null);
  return own ?? first;
}
