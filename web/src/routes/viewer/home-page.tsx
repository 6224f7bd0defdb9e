import { getRouteApi, Link } from '@tanstack/react-router';
import { CategoryChips } from '../../features/browse/category-chips.tsx';
import { ContentGrid } from '../../features/browse/content-grid.tsx';
import { Shelf } from '../../features/browse/shelf.tsx';
import { Contents } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { byName } from '../../lib/by-name.ts';
import { t } from '../../lib/i18n.ts';
import { useUser } from '../../lib/session.ts';
import { siteName } from '../../lib/site.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Empty } from '../../ui/notice.tsx';

const LATEST = { filter: { kinds: ['FEATURE', 'SHORT', 'EPISODE', 'STREAM'] }, sort: 'NEWEST' } as const;
/** Trending is hidden while all videos fit into a row or two. */
const ONE_ROW = 8;
const route = getRouteApi('/');

/** The home page: categories, continue watching, trending and latest videos; a welcome while there are none. */
export function HomePage() {
  const { home, watched } = route.useLoaderData();
  const { contents, trending, categories } = home;
  const user = useUser();
  return (
    <>
      <title>{siteName()}</title>
      {contents.totalCount === 0 ? (
        <>
          {user === null && <Welcome />}
          <h1 className="sr-only">{t`Videos`}</h1>
          <Empty
            title={t`No videos yet`}
            action={<Link to="/studio" className={buttonClass('primary')}>{t`Upload a video`}</Link>}
          >{t`Published videos appear here.`}</Empty>
        </>
      ) : (
        <div className="space-y-10">
          <h1 className="sr-only">{t`Videos`}</h1>
          <CategoryChips categories={byName(categories.edges)} />
          <Shelf title={t`Continue watching`} contents={watched} more={{ to: '/history', label: t`View history` }} />
          {contents.totalCount > ONE_ROW && (
            <Shelf
              title={t`Trending`}
              contents={trending.edges.map(({ node }) => node)}
              more={{ to: '/trending', label: t`View all` }}
            />
          )}
          <section aria-labelledby="latest">
            <h2 id="latest" className="mb-5 text-xl font-semibold">{t`Latest videos`}</h2>
            <ContentGrid
              heading="h3"
              queryKey={['contents', LATEST]}
              first={contents}
              loadMore={async (after) => (await api(Contents, { ...LATEST, after })).contents}
            />
          </section>
        </div>
      )}
    </>
  );
}

function Welcome() {
  return (
    <section
      aria-label={t`About ${siteName()}`}
      className="mb-12 flex items-center justify-between gap-10 pt-4 pb-2 sm:pt-8"
    >
      <div className="max-w-xl space-y-5">
        <p className="text-4xl leading-[1.08] font-bold tracking-[-0.03em] sm:text-6xl">
          {t`Your video.`}
          <br />
          <span className="text-accent-text">{t`One typed graph.`}</span>
        </p>
        <p className="text-lg text-pretty text-muted">{t`Upload, transcode, publish and watch on your own server, from
          Studio or from one GraphQL endpoint.`}</p>
        <p className="flex flex-wrap gap-3 pt-1">
          <Link to="/sign-up" className={buttonClass('primary')}>{t`Create an account`}</Link>
          <Link to="/sign-in" className={buttonClass('plain')}>{t`Sign in`}</Link>
        </p>
      </div>
      <Constellation />
    </section>
  );
}

const EDGES =
  'M150 70 90 150M150 70l150 90M90 150l210 10M90 150 140 262M300 160 140 262M300 ' +
  '160l96-74M300 160l104 84M140 262l130 40M404 244l-134 58M90 150 34 214';
const FRAMES = [
  [112, 42, 76, 48, 'fill-accent'],
  [56, 128, 68, 44, 'fill-raised'],
  [258, 132, 84, 56, 'fill-sea'],
  [104, 238, 72, 48, 'fill-accent'],
  [366, 62, 60, 40, 'fill-raised'],
  [374, 222, 60, 40, 'fill-raised'],
  [242, 284, 56, 36, 'fill-raised'],
  [12, 200, 44, 28, 'fill-raised'],
] as const;

/** Decoration: videos as nodes of a graph, three of which form the play symbol of the logo. */
function Constellation() {
  return (
    <svg viewBox="0 0 440 330" className="me-4 hidden w-[26rem] shrink-0 lg:block" aria-hidden="true" focusable="false">
      <path d={EDGES} className="stroke-line-strong" strokeWidth="1.5" strokeOpacity=".6" fill="none" />
      <path
        d="M150 66 140 262 300 160Z"
        className="fill-accent stroke-accent-text"
        fillOpacity=".1"
        strokeWidth="3"
        strokeLinejoin="round"
      />
      {FRAMES.map(([x, y, width, height, fill]) => (
        <g key={`${x} ${y}`}>
          <rect x={x} y={y} width={width} height={height} rx="9" className={`${fill} stroke-ink`} strokeWidth="5" />
          <path
            d={`M${x + width / 2 - 6} ${y + height / 2 - 8}v16l13-8Z`}
            className={fill === 'fill-raised' ? 'fill-line-strong' : 'fill-ink'}
            fillOpacity={fill === 'fill-raised' ? 1 : 0.85}
          />
        </g>
      ))}
    </svg>
  );
}
