import { getRouteApi, Link } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { type Broadcastable, broadcastOf, isUpcoming } from '../../features/browse/broadcast-sign.ts';
import { CommentSection } from '../../features/comments/comment-section.tsx';
import { SaveButton } from '../../features/playlist/card-menu.tsx';
import { FollowButton } from '../../features/social/follow-button.tsx';
import { LikeButton } from '../../features/social/like-button.tsx';
import { ReportDialog } from '../../features/social/report-dialog.tsx';
import { ShareButton } from '../../features/social/share-dialog.tsx';
import { useAutoplay } from '../../features/watch/autoplay.tsx';
import { ChapterList } from '../../features/watch/chapter-list.tsx';
import { Description } from '../../features/watch/description.tsx';
import { DownloadButton } from '../../features/watch/download-button.tsx';
import { EndScreen } from '../../features/watch/end-screen.tsx';
import { useNowPlaying, type Watched } from '../../features/watch/now-playing.ts';
import { t, tc } from '../../lib/i18n.ts';
import { siteName } from '../../lib/site.ts';
import '../../features/watch/now-playing-host.tsx'; // the player comes with the page
import { neighbours } from '../../features/queue/queue.ts';
import { useQueue } from '../../features/queue/use-queue.ts';
import { QueuePanel } from '../../features/watch/queue-panel.tsx';
import { UpNext, useRelated } from '../../features/watch/up-next.tsx';
import { VideoStage } from '../../features/watch/video-stage.tsx';
import { contentTail } from '../../lib/did.ts';
import { useSignedIn } from '../../lib/hooks/use-signed-in.ts';
import { aspectOf, playableOf } from '../../player/player-box.ts';
import { chaptersOf } from '../../player/ranges.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Avatar, pickImage } from '../../ui/image.tsx';

const route = getRouteApi('/w/$code');

const ChatPanel = lazy(async () => ({ default: (await import('../../features/chat/chat-panel.tsx')).ChatPanel }));

const TranscriptPanel = lazy(async () => ({
  default: (await import('../../features/watch/transcript-panel.tsx')).TranscriptPanel,
}));

/** The watch page: player, details, queue, related videos and comments. */
export function WatchPage() {
  const content = route.useLoaderData();
  const { t: startsAt, list, item, comment } = route.useSearch();
  const queue = useQueue(content, { ...(list ? { list } : {}), ...(item ? { item } : {}) });
  const related = useRelated(content.id);
  const autoplay = useAutoplay();
  const { theatre, player } = useNowPlaying();
  const [transcriptOf, setTranscriptOf] = useState<string | null>(null);
  const first = related.find((content) => !isAnnounced(content));
  const next = queue
    ? neighbours(queue).next
    : (first && { label: first.card.title, content: first, search: {} }) || null;
  const hasTranscript = transcriptOf === content.id;
  return (
    <>
      <title>{`${content.card.title} · ${siteName()}`}</title>
      <div
        className={
          'grid gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,1fr)_22rem] lg:grid-rows-[auto_auto_1fr] ' +
          'xl:grid-cols-[minmax(0,1fr)_25rem]'
        }
      >
        <div className={`-mx-4 -mt-6 min-w-0 overflow-hidden bg-black ${theatre ? THEATRE : IN_COLUMN}`}>
          <VideoStage content={content} from={startsAt} list={list} item={item} waits={comment !== undefined} />
          <EndScreen key={content.id} next={next} related={related} autoplay={autoplay.on} />
        </div>
        <div className="min-w-0 space-y-6 lg:col-start-1">
          <About
            content={content}
            transcript={hasTranscript}
            onTranscript={(open) => setTranscriptOf(open ? content.id : null)}
          />
          <ChapterList chapters={chaptersOf(content)} player={player} />
        </div>
        <aside
          aria-label={t`More to watch`}
          className={
            'min-w-0 space-y-6 lg:col-start-2 ' +
            (theatre ? 'lg:row-span-2 lg:row-start-2' : 'lg:row-span-3 lg:row-start-1')
          }
        >
          {'chat' in content && content.chat && (
            <Suspense key={`chat ${content.id}`}>
              <ChatPanel streamId={content.id} channelId={content.channel.id} moderates={moderates(content)} />
            </Suspense>
          )}
          {hasTranscript && (
            <Suspense key={`transcript ${content.id}`}>
              <TranscriptPanel contentId={content.id} onClose={() => setTranscriptOf(null)} />
            </Suspense>
          )}
          {queue && <QueuePanel queue={queue} autoplay={autoplay} />}
          <UpNext key={`related ${content.id}`} related={related} autoplay={queue ? undefined : autoplay} />
        </aside>
        <div className="min-w-0 lg:col-start-1">
          {isWatchable(content) && (
            <CommentSection key={`${content.id} ${comment}`} content={content} named={comment} />
          )}
        </div>
      </div>
    </>
  );
}

/** Narrow pages have one column. */
const IN_COLUMN = 'sm:mx-0 sm:mt-0 sm:rounded-2xl';
const THEATRE = 'max-lg:sm:mx-0 max-lg:sm:mt-0 max-lg:sm:rounded-2xl lg:col-span-2 lg:mx-[calc(50%-50vw)]';

interface AboutProperties {
  readonly content: Watched;
  /** Whether the transcript is open. */
  readonly transcript: boolean;
  readonly onTranscript: (open: boolean) => void;
}

function About(properties: AboutProperties) {
  const { content } = properties;
  const { visibility } = content.metadata;
  return (
    <article className="space-y-4">
      <h1 className="text-xl leading-tight font-bold [overflow-wrap:anywhere] sm:text-2xl">
        <bdi>{content.card.title}</bdi>
      </h1>
      {(content.status !== 'PUBLISHED' || visibility !== 'PUBLIC') && (
        <p className="flex flex-wrap gap-2">
          {content.channel.viewerRole === null && isPrivate(content) && <Tag>{t`Shared with you`}</Tag>}
          {content.channel.viewerRole !== null && content.status !== 'PUBLISHED' && (
            <Tag>{t`Not published: only channel members can see this page`}</Tag>
          )}
          {visibility !== 'PUBLIC' && <Tag>{visibility === 'PRIVATE' ? t`Private` : t`Unlisted`}</Tag>}
        </p>
      )}
      <Actions key={`actions ${content.id}`} {...properties} />
      <Description key={`description ${content.id}`} content={content} />
    </article>
  );
}

/** The channel, and the actions on the video. */
function Actions({ content, transcript, onTranscript }: AboutProperties) {
  const { channel } = content;
  const [reporting, setReporting] = useState<string | null>(null);
  const whenSignedIn = useSignedIn();
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-4">
      <div className="me-auto flex flex-wrap items-center gap-x-4 gap-y-3">
        <Link
          to="/@{$handle}"
          params={{ handle: channel.handle }}
          className="flex items-center gap-3 rounded-lg font-semibold hover:text-accent-text"
        >
          <Avatar image={pickImage(channel.assets.images, 'AVATAR')} name={channel.metadata.title} />
          <bdi>{channel.metadata.title}</bdi>
        </Link>
        <FollowButton channel={channel} />
      </div>
      {isWatchable(content) && (
        <div className="flex flex-wrap items-center gap-2">
          <LikeButton id={content.id} likes={content.likes} />
          <ShareButton path={`/w/${content.shortCode}`} title={content.card.title} embed={embedOf(content)} />
          <SaveButton contentId={content.id} className={buttonClass('plain')} />
          <DownloadButton outputs={content.outputAssets} />
          {content.captions.totalCount > 0 && (
            <button
              type="button"
              aria-expanded={transcript}
              className={buttonClass('plain')}
              onClick={() => onTranscript(!transcript)}
            >
              <Icon name="transcript" className="size-5" />
              {t`Transcript`}
            </button>
          )}
          <button
            type="button"
            className={buttonClass('quiet')}
            onClick={() => whenSignedIn(() => setReporting(content.id))}
          >
            <Icon name="flag" className="size-5" />
            {tc('verb', 'Report')}
          </button>
          <ReportDialog target={reporting} title={t`Report this video`} onClose={() => setReporting(null)} />
        </div>
      )}
    </div>
  );
}

/** Whether only members of the channel see it, and those with whom it is shared. */
const isPrivate = ({ status, metadata }: Watched): boolean =>
  status !== 'PUBLISHED' || metadata.visibility === 'PRIVATE';

/** Whether there is something to like, save and discuss: what failed or was not uploaded is only edited. */
const isWatchable = ({ status, assets }: Watched): boolean =>
  status === 'PUBLISHED' || status === 'READY' || playableOf(assets.videos) !== undefined;

/** Whether the viewer is an editor, a manager or the owner of the channel. */
const moderates = ({ channel: { viewerRole } }: Watched): boolean => viewerRole !== null && viewerRole !== 'VIEWER';

/** Embedding options; null for videos that are not visible to everyone with the link. */
function embedOf(content: Watched) {
  const { id, status, metadata, assets } = content;
  const video = playableOf(assets.videos) ?? (isAnnounced(content) ? { width: null, height: null } : null);
  if (!video || status !== 'PUBLISHED' || metadata.visibility === 'PRIVATE') return null;
  return { path: `/embed/${contentTail(id)}`, aspect: aspectOf(video) };
}

/** Whether it is a broadcast that has not begun. */
function isAnnounced(content: Broadcastable): boolean {
  const broadcast = broadcastOf(content);
  return broadcast !== null && isUpcoming(broadcast);
}

function Tag({ children }: { children: ReactNode }) {
  return <span className="rounded-full bg-surface px-3 py-1 text-sm text-muted">{children}</span>;
}
