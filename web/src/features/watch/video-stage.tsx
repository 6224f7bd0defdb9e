import { useQuery } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { useCallback, useLayoutEffect, useRef } from 'react';
import { type BroadcastSignFragment, ProcessingFailure } from '../../gql/generated/operations.gen.ts';
import { contentTail } from '../../lib/did.ts';
import { t } from '../../lib/i18n.ts';
import { operationQuery } from '../../lib/query.ts';
import { aspectOf, playableOf, playerBox } from '../../player/player-box.ts';
import { buttonClass } from '../../ui/button.tsx';
import { pickImage } from '../../ui/image.tsx';
import { broadcastOf, isUpcoming } from '../browse/broadcast-sign.ts';
import { Countdown } from './countdown.tsx';
import { leavePage, playOnPage, stopPlaying, useNowPlaying, type Watched } from './now-playing.ts';

interface Properties {
  readonly content: Watched;
  /** Start position in seconds, from the URL. */
  readonly from: number | undefined;
  /** Ids of the playlist and the playlist item, from the URL. */
  readonly list: string | undefined;
  readonly item: string | undefined;
  /** Whether the video waits for Play. */
  readonly waits: boolean;
}

/** The place of the player on the page of its video, or why the video cannot be played. */
export function VideoStage({ content, from, list, item, waits }: Properties) {
  const slot = useRef<HTMLDivElement>(null);
  const { theatre } = useNowPlaying();
  const video = playableOf(content.assets.videos);
  const isPlayable = video !== undefined;
  useLayoutEffect(() => {
    const search = { ...(list ? { list } : {}), ...(item ? { item } : {}) };
    if (isPlayable && slot.current) playOnPage({ content, from, waits, search }, slot.current);
    else stopPlaying();
  }, [content, from, list, item, waits, isPlayable]);
  useLayoutEffect(() => leavePage, []);
  if (video) return <div ref={slot} {...playerBox(aspectOf(video), theatre)} />;
  const broadcast = broadcastOf(content);
  return broadcast && isUpcoming(broadcast) ? (
    <Announced content={content} broadcast={broadcast} />
  ) : (
    <NotReady content={content} broadcast={broadcast} />
  );
}

/** A broadcast that was announced; its page is loaded again once it begins. */
function Announced({ content, broadcast }: { readonly content: Watched; readonly broadcast: BroadcastSignFragment }) {
  const router = useRouter();
  const reload = useCallback(() => void router.invalidate(), [router]);
  const image = pickImage(content.assets.images, 'POSTER', 'THUMBNAIL');
  return <Countdown key={content.id} id={content.id} broadcast={broadcast} image={image} onStart={reload} />;
}

const MISSED_TEXTS: Readonly<Partial<Record<BroadcastSignFragment['state'], string>>> = {
  MISSED: t`No encoder came for this broadcast. It can be scheduled again in Studio.`,
  CANCELED: t`This broadcast was canceled. It can be scheduled again in Studio.`,
};

/** Why a video cannot be played, for the members of its channel: nobody else sees its page before it is published. */
function NotReady({ content, broadcast }: { content: Watched; broadcast: BroadcastSignFragment | null }) {
  const { status } = content;
  const missed = broadcast && MISSED_TEXTS[broadcast.state];
  const message =
    missed ??
    {
      DRAFT: t`No file has been uploaded for this video yet.`,
      PROCESSING: t`This video is being processed. Check back soon.`,
      FAILED: t`This video could not be processed.`,
      READY: t`This video is not ready to play yet.`,
      PUBLISHED: t`This video is not ready to play yet.`,
    }[status];
  return (
    <div
      role="status"
      className={
        'grid aspect-video max-h-[60dvh] w-full place-items-center border ' +
        'border-line bg-surface px-6 text-center text-muted sm:rounded-2xl'
      }
    >
      <div className="max-w-prose space-y-3">
        <p>{message}</p>
        {status === 'FAILED' && <FailureReason contentId={content.id} />}
        {missed && <Link to="/studio/live" className={buttonClass('plain')}>{t`Open Studio`}</Link>}
        {!missed && status !== 'PUBLISHED' && (
          <Link
            to="/studio/content/$"
            params={{ _splat: contentTail(content.id) }}
            search={status === 'FAILED' ? { tab: 'video' } : {}}
            className={buttonClass(status === 'FAILED' ? 'primary' : 'plain')}
          >
            {status === 'FAILED' ? t`Upload another file` : t`Open Studio`}
          </Link>
        )}
      </div>
    </div>
  );
}

/** Why the processing of a video failed. */
function FailureReason({ contentId }: { contentId: string }) {
  const { data } = useQuery(operationQuery(ProcessingFailure, { id: contentId }));
  const reason = data?.content?.transcodeJob?.error;
  return reason ? (
    <p dir="auto" className="[overflow-wrap:anywhere]">
      {reason}
    </p>
  ) : null;
}
