import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ContentGrid } from '../../features/browse/content-grid.tsx';
import { type ContentPageFragment, Contents, Trending } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { t } from '../../lib/i18n.ts';
import { siteName } from '../../lib/site.ts';
import { Empty } from '../../ui/notice.tsx';
import { SERIES } from './browse-lists.ts';

const trending = getRouteApi('/trending');
const series = getRouteApi('/browse/series');

/** What is watched most at present. */
export function TrendingPage() {
  const first = trending.useLoaderData();
  return (
    <BrowsePage
      title={t`Trending`}
      first={first}
      emptyTitle={t`No trending yet`}
      empty={t`Videos that many people watch appear here.`}
    >
      <ContentGrid
        queryKey={['trending']}
        first={first}
        loadMore={async (after) => (await api(Trending, { after })).trending}
      />
    </BrowsePage>
  );
}

export function AllSeriesPage() {
  const first = series.useLoaderData();
  return (
    <BrowsePage title={t`Series`} first={first} emptyTitle={t`No series yet`} empty={t`Published series appear here.`}>
      <ContentGrid
        queryKey={['contents', SERIES]}
        first={first}
        loadMore={async (after) => (await api(Contents, { ...SERIES, after })).contents}
      />
    </BrowsePage>
  );
}

interface Properties {
  readonly title: string;
  readonly first: ContentPageFragment;
  /** Where there is nothing to show, with its title. */
  readonly empty: string;
  readonly emptyTitle: string;
  readonly children: ReactNode;
}

function BrowsePage({ title, first, empty, emptyTitle, children }: Properties) {
  return (
    <>
      <title>{`${title} · ${siteName()}`}</title>
      <h1 className="mb-6 text-3xl font-bold">{title}</h1>
      {first.totalCount === 0 ? <Empty title={emptyTitle}>{empty}</Empty> : children}
    </>
  );
}
