import type { PictureFragment, StudioPlaylistCardFragment } from '../../../gql/generated/operations.gen.ts';
import { pick } from '../../../ui/picture.tsx';
import { useFirstPicture } from '../../playlist/first-picture.ts';

/** The cover of a playlist, or the picture of what comes first in it; null while that is not known, and where there is none. */
export function usePlaylistPicture({ id, itemsCount, assets }: StudioPlaylistCardFragment): PictureFragment | null {
  const own = pick(assets.images, 'THUMBNAIL', 'POSTER');
  const first = useFirstPicture(own === null && itemsCount > 0 ? id : null);
  return own ?? first;
}
