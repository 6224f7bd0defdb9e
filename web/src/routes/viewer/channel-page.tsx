import { getRouteApi, Link } from '@tanstack/react-router';
import { ContentGrid } from '../../features/browse/content-grid.tsx';
import { PlaylistGrid } from '../../features/playlist/playlist-grid.tsx';
import { FollowButton } from '../../features/social/follow-button.tsx';
import {
  type ChannelPageResult,
  type ContentKind,
  type ContentPageFragment,
  Contents,
} from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { calendarDate, joined, videoCountText } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';
import { count } from '../../lib/numbers.ts';
import { siteName } from '../../lib/site.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Avatar, pickImage, ResponsiveImage } from '../../ui/image.tsx';
import { LinkedText } from '../../ui/linked-text.tsx';
import { Empty } from '../../ui/notice.tsx';
import { EXACT, TAB, TabRow } from '../../ui/tabs.tsx';

const route = getRouteApi('/@{$handle}');

type Channel = NonNullable<ChannelPageResult['channel']>;

const KINDS = {
  videos: ['FEATURE', 'EPISODE', 'STREAM'],
  shorts: ['SHORT'],
  series: ['SERIES', 'MINISERIES'],
} as const satisfies Record<string, readonly ContentKind[]>;

/** A channel page, with a tab for each kind of content. */
export function ChannelPage() {
  const { channel, videos, shorts, series } = route.useLoaderData();
  const { tab = 'videos' } = route.useSearch();
  const { title } = channel.metadata;
  const lists = { videos, shorts, series };
  return (
    <>
      <title>{`${title} · ${siteName()}`}</title>
      <ChannelHeader channel={channel} videos={videos.totalCount} />
      <Tabs
        tab={tab}
        handle={channel.handle}
        counts={{
          videos: videos.totalCount,
          shorts: shorts.totalCount,
          series: series.totalCount,
          playlists: channel.playlists.totalCount,
        }}
      />
      <div className="pt-8">
        {tab === 'playlists' && <PlaylistGrid key={channel.id} channelId={channel.id} />}
        {tab === 'about' && <About channel={channel} />}
        {(tab === 'videos' || tab === 'shorts' || tab === 'series') && (
          <ContentTab key={`${channel.id} ${tab}`} channel={channel} tab={tab} first={lists[tab]} />
        )}
      </div>
    </>
  );
}

function ChannelHeader({ channel, videos }: { channel: Channel; videos: number }) {
  const { title } = channel.metadata;
  const banner = pickImage(channel.assets.images, 'BANNER');
  return (
    <>
      {banner && (
        <ResponsiveImage
          image={banner}
          sizes="(min-width: 80rem) 78rem, 100vw"
          eager
          className="mb-6 aspect-[5/1] w-full rounded-2xl"
        />
      )}
      <header className="mb-6 flex flex-wrap items-center gap-5">
        <Avatar image={pickImage(channel.assets.images, 'AVATAR')} name={title} className="size-20 text-3xl" />
        <div className="min-w-0 grow basis-60 space-y-1">
          <h1 className="text-3xl font-bold [overflow-wrap:anywhere]">
            <bdi>{title}</bdi>
          </h1>
          <p className="text-muted">
            <bdi>@{channel.handle}</bdi> · {videoCountText(videos)}
          </p>
        </div>
        <div className="flex flex-wrap items-center gap-3">
          {channel.viewerRole && <Link to="/studio" className={buttonClass('plain')}>{t`Open Studio`}</Link>}
          <FollowButton channel={channel} />
        </div>
      </header>
    </>
  );
}

interface TabsProperties {
  readonly tab: string;
  readonly handle: string;
  readonly counts: {
    readonly videos: number;
    readonly shorts: number;
    readonly series: number;
    readonly playlists: number;
  };
}

function Tabs({ tab, handle, counts }: TabsProperties) {
  const tabs = [
    ['videos', t`Videos`, counts.videos],
    ['shorts', t`Shorts`, counts.shorts],
    ['series', t`Series`, counts.series],
    ['playlists', t`Playlists`, counts.playlists],
    ['about', t`About`, null],
  ] as const;
  return (
    <TabRow label={t`Channel sections`}>
      {tabs.map(([name, label, total]) => (
        <li key={name}>
          <Link
            to="/@{$handle}"
            params={{ handle }}
            search={name === 'videos' ? {} : { tab: name }}
            resetScroll={false}
            aria-current={tab === name ? 'page' : undefined}
            activeOptions={EXACT}
            className={TAB}
          >
            {label}
            {total !== null && <span className="text-sm text-muted tabular-nums">{count(total)}</span>}
          </Link>
        </li>
      ))}
    </TabRow>
  );
}

const EMPTY_STATES = {
  videos: [t`No videos yet`, t`Published videos appear here.`],
  shorts: [t`No shorts yet`, t`Published shorts appear here.`],
  series: [t`No series yet`, t`Published series appear here.`],
} as const;

function ContentTab({
  channel,
  tab,
  first,
}: {
  channel: Channel;
  tab: keyof typeof EMPTY_STATES;
  first: ContentPageFragment;
}) {
  const [emptyTitle, empty] = EMPTY_STATES[tab];
  const { title } = channel.metadata;
  const list = { filter: { channel: channel.id, kinds: KINDS[tab] }, sort: 'NEWEST' } as const;
  if (first.totalCount === 0) return <Empty title={emptyTitle}>{empty}</Empty>;
  const label = { videos: t`Videos of ${title}`, shorts: t`Shorts of ${title}`, series: t`Series of ${title}` }[tab];
  return (
    <section aria-label={label}>
      <ContentGrid
        first={first}
        named={false}
        tall={tab === 'shorts'}
        queryKey={['contents', list]}
        loadMore={async (after) => (await api(Contents, { ...list, after })).contents}
      />
    </section>
  );
}

const FEEDS = [
  ['videos', 'RSS'],
  ['podcast', t`Podcast`],
] as const;

function About({ channel }: { channel: Channel }) {
  const { summary, keywords } = channel.metadata;
  return (
    <section aria-label={t`About ${channel.metadata.title}`} className="max-w-prose space-y-5">
      <p dir="auto" className="leading-relaxed whitespace-pre-line [overflow-wrap:anywhere]">
        {summary ? <LinkedText text={summary} /> : t`This channel has no description.`}
      </p>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2">
        <dt className="text-muted">{t`Handle`}</dt>
        <dd>
          <bdi>@{channel.handle}</bdi>
        </dd>
        {channel.websiteUrl !== null && (
          <>
            <dt className="text-muted">{t`Website`}</dt>
            <dd className="[overflow-wrap:anywhere]">
              <a
                href={channel.websiteUrl}
                rel="nofollow ugc noopener"
                target="_blank"
                className="text-accent-text underline underline-offset-3"
              >
                {channel.websiteUrl}
              </a>
            </dd>
          </>
        )}
        <dt className="text-muted">{t`Created`}</dt>
        <dd>{calendarDate(channel.createdAt)}</dd>
        <dt className="text-muted">{t`Feeds`}</dt>
        <dd className="flex flex-wrap gap-x-4">
          {FEEDS.map(([file, label]) => (
            <a
              key={file}
              href={`/feeds/channel/${channel.handle}/${file}.xml`}
              className="text-accent-text underline underline-offset-3"
            >
              {label}
            </a>
          ))}
        </dd>
        <dt className="text-muted">{t`Followers`}</dt>
        <dd>{count(channel.followersCount)}</dd>
        {keywords.length > 0 && (
          <>
            <dt className="text-muted">{t`Keywords`}</dt>
            <dd dir="auto">{joined(keywords)}</dd>
          </>
        )}
      </dl>
    </section>
  );
}
