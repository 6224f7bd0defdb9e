import { getRouteApi, Link } from '@tanstack/react-router';
import { Facts, Thumbnail } from '../../features/browse/content-card.tsx';
import { PlaylistCover, VISIBILITY } from '../../features/playlist/playlist-card.tsx';
import { ShareButton } from '../../features/social/share-dialog.tsx';
import { type PlaylistEntryFragment, PlaylistItems, type PlaylistResult } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { didSuffix } from '../../lib/did.ts';
import { ago, videoCountText } from '../../lib/format.ts';
import { usePages } from '../../lib/hooks/use-pages.ts';
import { t } from '../../lib/i18n.ts';
import { count } from '../../lib/numbers.ts';
import { siteName } from '../../lib/site.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { LinkedText } from '../../ui/linked-text.tsx';
import { More } from '../../ui/more.tsx';
import { Empty } from '../../ui/notice.tsx';

const route = getRouteApi('/playlist/$id');

type Shown = NonNullable<PlaylistResult['playlist']>;

/** A playlist page. */
export function PlaylistPage() {
  const playlist = route.useLoaderData();
  const pages = usePages<PlaylistEntryFragment>({
    queryKey: ['PlaylistItems', { id: playlist.id }],
    first: playlist.items,
    loadMore: async (after) => (await api(PlaylistItems, { id: playlist.id, after })).playlist?.items,
  });
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-10 lg:grid-cols-[22rem_minmax(0,1fr)]">
      <title>{`${playlist.metadata.title} · ${siteName()}`}</title>
      <PlaylistHeader playlist={playlist} start={pages.nodes.find(({ content }) => content !== null) ?? null} />
      {playlist.items.totalCount === 0 ? (
        <Empty title={t`No videos yet`}>{t`Videos added to this playlist appear here.`}</Empty>
      ) : (
        <section aria-label={t`Playlist videos`}>
          <div ref={pages.list}>
            <ol className="space-y-4">
              {pages.nodes.map((entry) => (
                <Entry key={entry.id} entry={entry} list={didSuffix(playlist.id)} />
              ))}
            </ol>
          </div>
          <More pages={pages}>{t`Show more videos`}</More>
        </section>
      )}
    </div>
  );
}

function PlaylistHeader({ playlist, start }: { playlist: Shown; start: PlaylistEntryFragment | null }) {
  const { title } = playlist.metadata;
  const { summary } = playlist.details;
  const facts = [
    playlist.visibility !== 'PUBLIC' && VISIBILITY[playlist.visibility],
    videoCountText(playlist.itemsCount),
    t`updated ${ago(playlist.updatedAt, Date.now())}`,
  ];
  return (
    <header className="space-y-4 card p-5 lg:sticky lg:top-20">
      <PlaylistCover playlist={playlist} sizes="(min-width: 64rem) 20rem, 92vw" />
      <h1 className="text-2xl leading-tight font-bold [overflow-wrap:anywhere]">
        <bdi>{title}</bdi>
      </h1>
      <p className="text-muted">
        <Link
          to="/@{$handle}"
          params={{ handle: playlist.channel.handle }}
          className="font-semibold text-fore hover:text-accent-text"
        >
          <bdi>{playlist.channel.metadata.title}</bdi>
        </Link>
        {' · '}
        {facts.filter(Boolean).join(' · ')}
      </p>
      {summary && (
        <p dir="auto" className="leading-relaxed whitespace-pre-line [overflow-wrap:anywhere]">
          <LinkedText text={summary} />
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        {start?.content && (
          <Link
            to="/w/$code"
            params={{ code: start.content.shortCode }}
            search={{ list: didSuffix(playlist.id), item: didSuffix(start.id) }}
            className={buttonClass('primary')}
          >
            <Icon name="play" className="size-4" />
            {t`Play all`}
          </Link>
        )}
        <ShareButton path={`/playlist/${didSuffix(playlist.id)}`} title={title} />
      </div>
    </header>
  );
}

function Entry({ entry, list }: { entry: PlaylistEntryFragment; list: string }) {
  const { content, index } = entry;
  const position = (
    <span aria-hidden="true" className="w-7 shrink-0 text-center text-sm text-muted tabular-nums">
      {count(index + 1)}
    </span>
  );
  if (!content) {
    return (
      <li className="flex items-center gap-3 text-muted italic">
        {position}
        {t`Unavailable video`}
      </li>
    );
  }
  return (
    <li className="group relative flex items-center gap-3">
      {position}
      <div className="w-32 shrink-0 sm:w-44">
        <Thumbnail content={content} sizes="11rem" />
      </div>
      <div className="min-w-0 space-y-1">
        <h2 className="line-clamp-2 leading-snug font-semibold [overflow-wrap:anywhere]">
          <Link
            to="/w/$code"
            params={{ code: content.shortCode }}
            search={{ list, item: didSuffix(entry.id) }}
            className="after:absolute after:inset-0 after:rounded-xl group-hover:text-accent-text"
          >
            <bdi>{content.card.title}</bdi>
          </Link>
        </h2>
        <p className="text-sm text-muted">
          <bdi>{content.channel.metadata.title}</bdi> · <Facts content={content} />
        </p>
      </div>
    </li>
  );
}
