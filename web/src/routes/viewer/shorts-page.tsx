import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ShortsFeed } from '../../features/shorts/shorts-feed.tsx';
import { type ContentPageFragment, Contents } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { didSuffix } from '../../lib/did.ts';
import { t } from '../../lib/i18n.ts';
import { siteName } from '../../lib/site.ts';
import { Empty, ErrorNotice } from '../../ui/notice.tsx';
import { SHORTS } from './browse-lists.ts';

const route = getRouteApi('/shorts');

/** Shorts, newest first, after the one that the address names; the address follows the one that is shown. */
export function ShortsPage() {
  const { named, first } = route.useLoaderData();
  const navigate = route.useNavigate();
  const query = useInfiniteQuery({
    queryKey: ['contents', SHORTS],
    queryFn: async ({ pageParam: after }: { pageParam: string | null }): Promise<ContentPageFragment> =>
      (await api(Contents, { ...SHORTS, after })).contents,
    initialPageParam: null,
    initialData: { pages: [first], pageParams: [null] },
    getNextPageParam: ({ pageInfo }) => (pageInfo.hasNextPage ? pageInfo.endCursor : null),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const listed = query.data.pages.flatMap(({ edges }) => edges).map(({ node }) => node);
  const shorts = named ? [named, ...listed.filter(({ id }) => id !== named.id)] : listed;
  return (
    <>
      <title>{`${t`Shorts`} · ${siteName()}`}</title>
      <h1 className="sr-only">{t`Shorts`}</h1>
      {query.error !== null && <ErrorNotice error={query.error} />}
      {shorts.length === 0 ? (
        <Empty title={t`No shorts yet`}>{t`Published shorts appear here.`}</Empty>
      ) : (
        <ShortsFeed
          shorts={shorts}
          onShow={({ id }) => void navigate({ search: { v: didSuffix(id) }, replace: true, resetScroll: false })}
          onMore={() => {
            if (query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage();
          }}
        />
      )}
    </>
  );
}
