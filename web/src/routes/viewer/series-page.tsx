import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { EpisodeList } from '../../features/browse/episode-list.tsx';
import { LikeButton } from '../../features/social/like-button.tsx';
import { ShareButton } from '../../features/social/share-dialog.tsx';
import {
  MiniserieEpisodes,
  type MiniserieResult,
  SeasonEpisodes,
  type SerieResult,
} from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { seriesTail } from '../../lib/did.ts';
import { joined } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';
import { count } from '../../lib/numbers.ts';
import { operationQuery } from '../../lib/query.ts';
import { siteName } from '../../lib/site.ts';
import { Spinner } from '../../ui/button.tsx';
import { Avatar, pickImage, ResponsiveImage } from '../../ui/image.tsx';
import { LinkedText } from '../../ui/linked-text.tsx';
import { Empty, ErrorNotice } from '../../ui/notice.tsx';
import { EXACT, TAB, TabRow } from '../../ui/tabs.tsx';

const route = getRouteApi('/series/$');

type Shown = NonNullable<SerieResult['serie']> | NonNullable<MiniserieResult['miniserie']>;
type Season = NonNullable<SerieResult['serie']>['seasons']['edges'][number]['node'];

/** A series page with seasons and episodes, or a miniseries page with episodes. */
export function SeriesPage() {
  const series = route.useLoaderData();
  return (
    <>
      <title>{`${series.metadata.title} · ${siteName()}`}</title>
      <SeriesHeader series={series} path={`/series/${route.useParams()._splat ?? ''}`} />
      {series.kind === 'MINISERIES' ? (
        <section aria-label={t`Episodes`} className="pt-8">
          <Episodes
            queryKey={['MiniserieEpisodes', { id: series.id }]}
            first={series.episodes}
            loadMore={async (after) => (await api(MiniserieEpisodes, { id: series.id, after })).miniserie?.episodes}
          />
        </section>
      ) : (
        <Seasons
          id={seriesTail(series.id)}
          seasons={series.seasons.edges.map(({ node }) => node)}
          chosen={series.chosen}
        />
      )}
    </>
  );
}

function SeriesHeader({ series, path }: { series: Shown; path: string }) {
  const { title, summary, genres, rating } = series.metadata;
  const wide = pickImage(series.assets.images, 'BACKGROUND', 'BANNER', 'POSTER', 'THUMBNAIL');
  const avatar = pickImage(series.channel.assets.images, 'AVATAR');
  return (
    <header className="mb-8 grid items-center gap-x-8 gap-y-5 md:grid-cols-[minmax(0,1fr)_24rem]">
      {wide && (
        <ResponsiveImage
          image={wide}
          sizes="(min-width: 48rem) 24rem, 92vw"
          eager
          className="order-first aspect-video w-full rounded-2xl md:order-last"
        />
      )}
      <div className="min-w-0 space-y-4">
        <h1 className="text-3xl leading-tight font-bold [overflow-wrap:anywhere] sm:text-4xl">
          <bdi>{title}</bdi>
        </h1>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-2 text-muted">
          <Link
            to="/@{$handle}"
            params={{ handle: series.channel.handle }}
            className="flex items-center gap-2 font-semibold text-fore hover:text-accent-text"
          >
            <Avatar image={avatar} name={series.channel.metadata.title} className="size-8 text-sm" />
            <bdi>{series.channel.metadata.title}</bdi>
          </Link>
          {rating && (
            <abbr
              title={rating.description}
              className="rounded-md border border-line-strong px-1.5 text-sm no-underline"
            >
              {rating.code}
            </abbr>
          )}
          {genres.edges.length > 0 && <span>{joined(genres.edges.map(({ node }) => node.name))}</span>}
        </p>
        {summary && (
          <p dir="auto" className="max-w-prose leading-relaxed whitespace-pre-line [overflow-wrap:anywhere]">
            <LinkedText text={summary} />
          </p>
        )}
        <div className="flex flex-wrap gap-3">
          <LikeButton id={series.id} likes={series.likes} />
          <ShareButton path={path} title={title} />
        </div>
      </div>
    </header>
  );
}

function Seasons({ id, seasons, chosen }: { id: string; seasons: readonly Season[]; chosen: number | null }) {
  const { season = chosen } = route.useSearch();
  const shown = seasons.find(({ metadata }) => metadata.number === season) ?? seasons[0];
  if (!shown) return <Empty title={t`No seasons yet`}>{t`Published seasons appear here.`}</Empty>;
  return (
    <>
      <TabRow label={t`Seasons`}>
        {seasons.map(({ id: season, metadata, episodes }) => (
          <li key={season}>
            <Link
              to="/series/$"
              params={{ _splat: id }}
              search={metadata.number === null ? {} : { season: metadata.number }}
              resetScroll={false}
              activeOptions={EXACT}
              aria-current={season === shown.id ? 'page' : undefined}
              className={TAB}
            >
              {metadata.number === null ? t`Season` : t`Season ${metadata.number}`}
              <span className="text-sm text-muted tabular-nums">{count(episodes.totalCount)}</span>
            </Link>
          </li>
        ))}
      </TabRow>
      <section aria-labelledby="season" className="space-y-6 pt-8">
        <h2 id="season" className="text-xl font-semibold">
          <bdi>{shown.metadata.title}</bdi>
        </h2>
        {shown.metadata.summary && (
          <p dir="auto" className="max-w-prose whitespace-pre-line text-muted [overflow-wrap:anywhere]">
            <LinkedText text={shown.metadata.summary} />
          </p>
        )}
        <SeasonEpisodeList key={shown.id} id={shown.id} />
      </section>
    </>
  );
}

function SeasonEpisodeList({ id }: { id: string }) {
  const { data, error } = useQuery(operationQuery(SeasonEpisodes, { id }));
  const first = data?.season?.episodes;
  if (error !== null) return <ErrorNotice error={error} />;
  if (!first)
    return (
      <p role="status" className="flex min-h-40 items-center gap-3 text-muted">
        <Spinner />
        {t`Loading episodes…`}
      </p>
    );
  return (
    <Episodes
      queryKey={['SeasonEpisodes', { id }]}
      first={first}
      loadMore={async (after) => (await api(SeasonEpisodes, { id, after })).season?.episodes}
    />
  );
}

function Episodes(list: Parameters<typeof EpisodeList>[0]) {
  if (list.first.totalCount === 0)
    return <Empty title={t`No episodes yet`}>{t`Published episodes appear here.`}</Empty>;
  return <EpisodeList {...list} />;
}
