import type { ImageFragment, StudioPlaylistCardFragment } from '../../../gql/generated/operations.gen.ts';
import { pickImage } from '../../../ui/image.tsx';
import { useFirstItemImage } from '../../playlist/first-item-image.ts';

/** The cover of a playlist, or the image of its first item; null while loading and without one. */
export function usePlaylistImage({ id, itemsCount, assets }: StudioPlaylistCardFragment): ImageFragment | null {
  const own = pickImage(assets.images, 'THUMBNAIL', 'POSTER');
  const first = useFirstItemImage(own === null && itemsCount > 0 ? id : null);
  return own ?? first;
}
