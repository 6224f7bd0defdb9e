import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { CategoryChips } from '../../features/browse/category-chips.tsx';
import { ContentGrid } from '../../features/browse/content-grid.tsx';
import { Shelf } from '../../features/browse/shelf.tsx';
import { type ContentPageFragment, Contents } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { byName } from '../../lib/by-name.ts';
import { t } from '../../lib/i18n.ts';
import { useUser } from '../../lib/session.ts';
import { siteName } from '../../lib/site.ts';

const LATEST = { filter: { kinds: ['FEATURE', 'EPISODE', 'STREAM'] }, sort: 'NEWEST' } as const;
/** Trending is hidden while all videos fit into a row or two. */
const ONE_ROW = 8;
const route = getRouteApi('/');

/** Not part of the first load: most pages need neither. */
const EmptyHome = lazy(async () => ({ default: (await import('./empty-home.tsx')).EmptyHome }));
const ServerStepsPanel = lazy(async () => ({
  default: (await import('../../features/operator/server-steps-panel.tsx')).ServerStepsPanel,
}));

/** The home page: categories, continue watching, trending and latest videos. */
export function HomePage() {
  const { home, watched, followed } = route.useLoaderData();
  const { contents, trending, shorts, series, categories } = home;
  const user = useUser();
  return (
    <>
      <title>{siteName()}</title>
      <h1 className="sr-only">{t`Videos`}</h1>
      {user?.isOperator && (
        <Suspense>
          <ServerStepsPanel />
        </Suspense>
      )}
      {contents.totalCount + shorts.totalCount === 0 ? (
        <Suspense>
          <EmptyHome />
        </Suspense>
      ) : (
        <div className="space-y-10">
          <CategoryChips categories={byName(categories.edges)} />
          <Shelf title={t`Continue watching`} contents={watched} more={{ to: '/history', label: t`View history` }} />
          <Shelf title={t`Following`} contents={followed} more={{ to: '/feed', label: t`View all` }} />
          {contents.totalCount > ONE_ROW && (
            <Shelf title={t`Trending`} contents={nodesOf(trending)} more={{ to: '/trending', label: t`View all` }} />
          )}
          <Shelf title={t`Series`} contents={nodesOf(series)} more={{ to: '/browse/series', label: t`View all` }} />
          <Shelf title={t`Shorts`} contents={nodesOf(shorts)} more={{ to: '/shorts', label: t`View all` }} tall />
          {contents.totalCount > 0 && (
            <section aria-labelledby="latest">
              <h2 id="latest" className="mb-5 text-xl font-semibold">{t`Latest videos`}</h2>
              <ContentGrid
                heading="h3"
                queryKey={['contents', LATEST]}
                first={contents}
                loadMore={async (after) => (await api(Contents, { ...LATEST, after })).contents}
              />
            </section>
          )}
        </div>
      )}
    </>
  );
}

const nodesOf = ({ edges }: ContentPageFragment) => edges.map(({ node }) => node);
