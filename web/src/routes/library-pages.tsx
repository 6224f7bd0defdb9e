import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ContentGrid } from '../features/browse/content-grid.tsx';
import { LikedContents } from '../gql/generated/operations.gen.ts';
import { api } from '../lib/api.ts';
import { buttonClass } from '../ui/button.tsx';
import { Empty } from '../ui/notice.tsx';

const likedRoute = getRouteApi('/liked');

/** What the viewer likes, the latest liked first. */
export function LikedPage() {
  const contents = likedRoute.useLoaderData();
  return (
    <LibraryPage title="Liked videos">
      {contents.totalCount === 0 ? (
        <NothingYet title="Nothing liked yet">Press the heart below a video, and it is kept here.</NothingYet>
      ) : (
        <ContentGrid first={contents} more={async (after) => (await api(LikedContents, { after })).me.likedContents} />
      )}
    </LibraryPage>
  );
}

function LibraryPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <title>{`${title} · Reelgraph`}</title>
      <h1 className="mb-6 text-3xl font-bold">{title}</h1>
      {children}
    </>
  );
}

function NothingYet({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Empty
      title={title}
      action={
        <Link to="/" className={buttonClass('primary')}>
          Find something to watch
        </Link>
      }
    >
      {children}
    </Empty>
  );
}
