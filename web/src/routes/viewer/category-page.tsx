import { getRouteApi, Link } from '@tanstack/react-router';
import { CategoryChips } from '../../features/browse/category-chips.tsx';
import { ContentGrid } from '../../features/browse/content-grid.tsx';
import { Contents } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { t } from '../../lib/i18n.ts';
import { siteName } from '../../lib/site.ts';
import { Empty } from '../../ui/notice.tsx';
import { EXACT, TAB, TabRow } from '../../ui/tabs.tsx';

const route = getRouteApi('/category/$slug');

const ORDERS = [
  [undefined, t`Newest`],
  ['views', t`Most viewed`],
  ['likes', t`Most liked`],
] as const;

/** The videos of a category. */
export function CategoryPage() {
  const { category, all, query, contents } = route.useLoaderData();
  const name = category.name;
  const { sort } = route.useSearch();
  return (
    <>
      <title>{`${name} · ${siteName()}`}</title>
      <header className="mb-6 space-y-1">
        <h1 className="text-3xl font-bold">{name}</h1>
        <p className="text-muted">{category.description}</p>
      </header>
      <TabRow label={t`Sort by`}>
        {ORDERS.map(([value, label]) => (
          <li key={value ?? 'newest'}>
            <Link
              to="/category/$slug"
              params={{ slug: category.slug }}
              search={value ? { sort: value } : {}}
              activeOptions={EXACT}
              aria-current={sort === value ? 'page' : undefined}
              className={TAB}
            >
              {label}
            </Link>
          </li>
        ))}
      </TabRow>
      <section aria-label={t`Videos in ${name}`} className="py-8">
        {contents.totalCount === 0 ? (
          <Empty title={t`No videos yet`}>{t`Videos in ${name} appear here. Try another category below.`}</Empty>
        ) : (
          <ContentGrid
            key={`${category.id} ${query.sort}`}
            queryKey={['contents', query]}
            first={contents}
            loadMore={async (after) => (await api(Contents, { ...query, after })).contents}
          />
        )}
      </section>
      <CategoryChips categories={all} />
    </>
  );
}
