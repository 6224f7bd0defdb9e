import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ContentGrid } from '../../features/browse/content-grid.tsx';
import { Feed, LikedContents } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { t } from '../../lib/i18n.ts';
import { siteName } from '../../lib/site.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Avatar, pickImage } from '../../ui/image.tsx';
import { Empty } from '../../ui/notice.tsx';

const feedRoute = getRouteApi('/feed');
const likedRoute = getRouteApi('/liked');

/** The latest videos of followed channels. */
export function FeedPage() {
  const { contents, following } = feedRoute.useLoaderData();
  const channels = following.edges.map(({ node }) => node);
  return (
    <LibraryPage title={t`Following`}>
      {channels.length === 0 ? (
        <EmptyLibrary
          title={t`No followed channels yet`}
        >{t`Follow channels to see their latest videos here.`}</EmptyLibrary>
      ) : (
        <>
          <nav aria-label={t`Followed channels`} className="-mx-4 mb-8 overflow-x-auto px-4 sm:mx-0 sm:px-0">
            <ul className="flex gap-5">
              {channels.map(({ id, handle, metadata, assets }) => (
                <li key={id} className="w-20 shrink-0">
                  <Link
                    to="/@{$handle}"
                    params={{ handle }}
                    className="block space-y-2 rounded-xl text-center text-sm hover:text-accent-text"
                  >
                    <Avatar
                      image={pickImage(assets.images, 'AVATAR')}
                      name={metadata.title}
                      className="mx-auto size-16 text-xl"
                    />
                    <span className="block truncate">{metadata.title}</span>
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
          {contents.totalCount === 0 ? (
            <EmptyLibrary
              title={t`No videos yet`}
            >{t`The channels you follow have not published any videos yet.`}</EmptyLibrary>
          ) : (
            <ContentGrid
              queryKey={['feed']}
              first={contents}
              loadMore={async (after) => (await api(Feed, { after })).feed}
            />
          )}
        </>
      )}
    </LibraryPage>
  );
}

/** Liked videos, latest first. */
export function LikedPage() {
  const contents = likedRoute.useLoaderData();
  return (
    <LibraryPage title={t`Liked videos`}>
      {contents.totalCount === 0 ? (
        <EmptyLibrary title={t`No liked videos yet`}>{t`Videos you like appear here.`}</EmptyLibrary>
      ) : (
        <ContentGrid
          queryKey={['LikedContents']}
          first={contents}
          loadMore={async (after) => (await api(LikedContents, { after })).me.likedContents}
        />
      )}
    </LibraryPage>
  );
}

/** Title and heading of a library page. */
export function LibraryPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <title>{`${title} · ${siteName()}`}</title>
      <h1 className="mb-6 text-3xl font-bold">{title}</h1>
      {children}
    </>
  );
}

/** The empty state of a library page. */
export function EmptyLibrary({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Empty title={title} action={<Link to="/" className={buttonClass('primary')}>{t`Browse videos`}</Link>}>
      {children}
    </Empty>
  );
}
