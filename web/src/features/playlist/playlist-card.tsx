import { Link } from '@tanstack/react-router';
import type { PlaylistCardFragment } from '../../gql/generated/operations.gen.ts';
import { didSuffix } from '../../lib/did.ts';
import { ago, videoCountText } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';
import { Icon } from '../../ui/icons.tsx';
import { pickImage, ResponsiveImage } from '../../ui/image.tsx';
import { useFirstItemImage } from './first-item-image.ts';

const SIZES = '(min-width: 80rem) 25rem, (min-width: 40rem) 45vw, 92vw';

/** A playlist card: cover or image of the first item, and number of videos. */
export function PlaylistCard({ playlist }: { playlist: PlaylistCardFragment }) {
  return (
    <article className="group relative">
      <PlaylistCover playlist={playlist} sizes={SIZES} />
      <h2 className="mt-3 line-clamp-2 leading-snug font-semibold [overflow-wrap:anywhere]">
        <Link
          to="/playlist/$id"
          params={{ id: didSuffix(playlist.id) }}
          className="after:absolute after:inset-0 after:rounded-xl group-hover:text-accent-text"
        >
          <bdi>{playlist.metadata.title}</bdi>
        </Link>
      </h2>
      <p className="mt-1 text-sm text-muted">
        {playlist.visibility !== 'PUBLIC' && `${VISIBILITY[playlist.visibility]} · `}
        {t`updated ${ago(playlist.updatedAt, Date.now())}`}
      </p>
    </article>
  );
}

/** Labels of visibilities. */
export const VISIBILITY = { PUBLIC: t`Public`, UNLISTED: t`Unlisted`, PRIVATE: t`Private` } as const;

/** The cover of a playlist with its number of videos. */
export function PlaylistCover({ playlist, sizes }: { playlist: PlaylistCardFragment; sizes: string }) {
  const own = pickImage(playlist.assets.images, 'THUMBNAIL', 'POSTER', 'BANNER', 'OTHER');
  const first = useFirstItemImage(own === null && playlist.itemsCount > 0 ? playlist.id : null);
  return (
    <div className="relative aspect-video overflow-hidden rounded-xl border border-line bg-raised">
      <ResponsiveImage
        image={own ?? first}
        sizes={sizes}
        className="size-full transition-transform duration-300 group-hover:scale-[1.03]"
      />
      <span
        className={
          'absolute inset-y-0 end-0 flex w-[32%] flex-col ' + 'items-center justify-center gap-1 bg-black/75 text-white'
        }
      >
        <Icon name="list" className="size-6" />
        <span className="text-sm font-semibold tabular-nums">{videoCountText(playlist.itemsCount)}</span>
      </span>
    </div>
  );
}
