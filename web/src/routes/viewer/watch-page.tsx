import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { CommentSection } from '../../features/comments/comment-section.tsx';
import { FollowButton } from '../../features/social/follow-button.tsx';
import { LikeButton } from '../../features/social/like-button.tsx';
import { ReportDialog } from '../../features/social/report-dialog.tsx';
import { ShareButton } from '../../features/social/share-dialog.tsx';
import { ChapterList } from '../../features/watch/chapter-list.tsx';
import { DownloadButton } from '../../features/watch/download-button.tsx';
import { neighbours } from '../../features/watch/queue.ts';
import { QueuePanel } from '../../features/watch/queue-panel.tsx';
import { UpNext } from '../../features/watch/up-next.tsx';
import { useQueue } from '../../features/watch/use-queue.ts';
import { VideoStage, type Watched } from '../../features/watch/video-stage.tsx';
import { watchPath } from '../../lib/did.ts';
import { calendarDate, viewCountText } from '../../lib/format.ts';
import { useSignedIn } from '../../lib/use-signed-in.ts';
import type { PlayerController } from '../../player/controller.ts';
import { readPreferences, savePreferences } from '../../player/preferences.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Avatar, pickImage } from '../../ui/image.tsx';

const route = getRouteApi('/watch/$');

/** The watch page: player, details, comments, queue and related videos. */
export function WatchPage() {
  const content = route.useLoaderData();
  const { t, ...item } = route.useSearch();
  const navigate = useNavigate();
  const queue = useQueue(content, item);
  const [player, setPlayer] = useState<PlayerController | null>(null);
  const [autoplay, setAutoplay] = useState(() => readPreferences().autoplay);
  const onEnded = (): void => {
    const next = queue && autoplay ? neighbours(queue).next : null;
    if (next) void navigate({ to: '/watch/$', params: { _splat: watchPath(next.content.id) }, search: next.search });
  };
  const choose = (on: boolean): void => {
    savePreferences({ autoplay: on });
    setAutoplay(on);
  };
  return (
    <>
      <title>{`${content.card.title} · Reelgraph`}</title>
      <VideoStage key={content.id} content={content} from={t} onEnded={onEnded} onPlayer={setPlayer} />
      <div className="mt-6 grid gap-10 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="min-w-0 space-y-8">
          <About content={content} />
          <ChapterList chapters={content.chapters} player={player} />
          <CommentSection key={content.id} content={content} />
        </div>
        <aside aria-label="More to watch" className="space-y-8">
          {queue && <QueuePanel queue={queue} autoplay={autoplay} onAutoplay={choose} />}
          <UpNext contentId={content.id} />
        </aside>
      </div>
    </>
  );
}

function About({ content }: { content: Watched }) {
  const { title } = content.card;
  const { summary, keywords, categories, visibility } = content.metadata;
  return (
    <article className="space-y-5">
      <h1 className="text-2xl leading-tight font-bold [overflow-wrap:anywhere] sm:text-3xl">{title}</h1>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-2 text-muted">
        {content.publishedAt && <span className="first-letter:uppercase">{viewCountText(content.viewCount)}</span>}
        {content.publishedAt && (
          <span>
            Published on <time dateTime={content.publishedAt}>{calendarDate(content.publishedAt)}</time>
          </span>
        )}
        {content.status !== 'PUBLISHED' && <Tag>Not published: only channel members can see this page</Tag>}
        {visibility !== 'PUBLIC' && <Tag>{visibility === 'PRIVATE' ? 'Private' : 'Unlisted'}</Tag>}
      </p>
      <Actions key={content.id} content={content} />
      {summary && <p className="max-w-prose leading-relaxed whitespace-pre-line [overflow-wrap:anywhere]">{summary}</p>}
      {(keywords.length > 0 || categories.edges.length > 0) && (
        <ul aria-label="Categories and keywords" className="flex flex-wrap gap-2">
          {categories.edges.map(({ node }) => (
            <li key={node.id}>
              <Link
                to="/category/$slug"
                params={{ slug: node.slug }}
                className={
                  'inline-block rounded-full border border-line-strong bg-surface px-3 py-1 text-sm ' +
                  'hover:bg-raised'
                }
              >
                {node.name}
              </Link>
            </li>
          ))}
          {keywords.map((keyword) => (
            <li key={keyword}>
              <Tag>{keyword}</Tag>
            </li>
          ))}
        </ul>
      )}
    </article>
  );
}

/** The channel, and the actions on the video. */
function Actions({ content }: { content: Watched }) {
  const { channel } = content;
  const [reporting, setReporting] = useState<string | null>(null);
  const whenSignedIn = useSignedIn();
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-4 border-b border-line pb-5">
      <div className="mr-auto flex flex-wrap items-center gap-x-4 gap-y-3">
        <Link
          to="/@{$handle}"
          params={{ handle: channel.handle }}
          className="flex items-center gap-3 rounded-lg font-semibold hover:text-accent-text"
        >
          <Avatar image={pickImage(channel.assets.images, 'AVATAR')} name={channel.metadata.title} />
          {channel.metadata.title}
        </Link>
        <FollowButton channel={channel} />
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <LikeButton id={content.id} likes={content.likes} />
        <ShareButton path={`/watch/${watchPath(content.id)}`} title={content.card.title} embed={embedOf(content)} />
        <DownloadButton outputs={content.outputAssets} />
        <button
          type="button"
          className={buttonClass('quiet')}
          onClick={() => whenSignedIn(() => setReporting(content.id))}
        >
          <Icon name="flag" className="size-5" />
          Report
        </button>
        <ReportDialog target={reporting} subject="this video" onClose={() => setReporting(null)} />
      </div>
    </div>
  );
}

/** Embedding options; null for videos that are not visible to everyone with the link. */
function embedOf({ id, status, metadata, assets }: Watched) {
  const video = assets.videos.edges.map(({ node }) => node).find(({ playlistUrl }) => playlistUrl !== null);
  if (!video || status !== 'PUBLISHED' || metadata.visibility === 'PRIVATE') return null;
  return { path: `/embed/${watchPath(id)}`, aspect: video.width && video.height ? video.width / video.height : 16 / 9 };
}

function Tag({ children }: { children: ReactNode }) {
  return <span className="rounded-full border border-line bg-surface px-3 py-1 text-sm text-muted">{children}</span>;
}
