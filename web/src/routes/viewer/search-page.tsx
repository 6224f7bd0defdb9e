import { getRouteApi, Link } from '@tanstack/react-router';
import { SearchFilters } from '../../features/search/search-filters.tsx';
import { type Hit, SearchHit } from '../../features/search/search-hit.tsx';
import { filtersSet, readSearchParams, SEARCH_TABS, type SearchParams } from '../../features/search/search-params.ts';
import { Search, type SearchResult, type SearchVariables } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { usePages } from '../../lib/hooks/use-pages.ts';
import { plural, t } from '../../lib/i18n.ts';
import { siteName } from '../../lib/site.ts';
import { More } from '../../ui/more.tsx';
import { Empty } from '../../ui/notice.tsx';
import { EXACT, TAB, TabRow } from '../../ui/tabs.tsx';

const route = getRouteApi('/search');

const NAMES = { videos: t`Videos`, series: t`Series`, channels: t`Channels`, playlists: t`Playlists` } as const;
/** The API stops counting here. */
const MOST_COUNTED = 10_000;

/** Search results, with tabs and filters. */
export function SearchPage() {
  const { categories, variables, found } = route.useLoaderData();
  const params = readSearchParams({ ...route.useSearch() });
  return (
    <div className="mx-auto max-w-4xl space-y-6">
      <title>{`${params.q ?? t`Search`} · ${siteName()}`}</title>
      <h1 className={params.q ? 'text-2xl font-bold [overflow-wrap:anywhere]' : 'sr-only'}>
        {params.q ? t`Results for “${params.q}”` : t`Search`}
      </h1>
      {variables && found ? (
        <>
          <Tabs params={params} />
          {params.type !== 'channels' && params.type !== 'playlists' && (
            <SearchFilters params={params} categories={categories} />
          )}
          <p role="status" className="text-sm text-muted">
            {resultCountText(found.totalCount)}
          </p>
          {found.totalCount === 0 ? (
            <NoResults params={params} />
          ) : (
            <Results key={JSON.stringify(variables)} first={found} variables={variables} />
          )}
        </>
      ) : (
        <Empty title={t`What are you looking for?`}>
          {t`Enter a title, channel or keyword in the search box.`}{' '}
          <span className="pointer-coarse:hidden">{t`Press / on any page to focus it.`}</span>
        </Empty>
      )}
    </div>
  );
}

function resultCountText(count: number): string {
  if (count >= MOST_COUNTED) return plural(MOST_COUNTED, { one: 'More than # result', other: 'More than # results' });
  return plural(count, { one: '# result', other: '# results' });
}

function Tabs({ params }: { params: SearchParams }) {
  const { type, ...rest } = params;
  return (
    <TabRow label={t`Result types`}>
      {([undefined, ...SEARCH_TABS] as const).map((tab) => (
        <li key={tab ?? 'all'}>
          <Link
            to="/search"
            search={tab ? { ...rest, type: tab } : rest}
            activeOptions={EXACT}
            aria-current={type === tab ? 'page' : undefined}
            className={TAB}
          >
            {tab ? NAMES[tab] : t`All`}
          </Link>
        </li>
      ))}
    </TabRow>
  );
}

function Results({ first, variables }: { first: SearchResult['search']; variables: SearchVariables }) {
  const pages = usePages<Hit>({
    queryKey: ['search', variables],
    first,
    loadMore: async (after) => (await api(Search, { ...variables, after })).search,
  });
  return (
    <>
      <div ref={pages.list} className="space-y-8">
        {pages.nodes.map((hit) => (
          <SearchHit key={hit.id} hit={hit} />
        ))}
      </div>
      <More pages={pages}>{t`Show more results`}</More>
    </>
  );
}

function NoResults({ params }: { params: SearchParams }) {
  const filtered = filtersSet(params) > 0 || params.type !== undefined;
  return (
    <Empty
      title={t`No results found`}
      action={
        filtered && params.q ? (
          <Link
            to="/search"
            search={{ q: params.q }}
            className="font-semibold text-accent-text underline underline-offset-3"
          >{t`Search without filters`}</Link>
        ) : undefined
      }
    >
      {filtered ? t`No results match your search and filters.` : t`Try different or fewer keywords.`}
    </Empty>
  );
}
