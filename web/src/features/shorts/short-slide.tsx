import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, type RefObject, Suspense, useEffect, useRef, useState } from 'react';
import { type ContentCardFragment, Watch, type WatchResult } from '../../gql/generated/operations.gen.ts';
import { shortCount } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';
import { count } from '../../lib/numbers.ts';
import { operationQuery } from '../../lib/query.ts';
import type { PlayerStart } from '../../player/use-controller.ts';
import { buttonClass, Spinner } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Avatar, pickImage } from '../../ui/image.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { FollowButton } from '../social/follow-button.tsx';
import { LikeButton } from '../social/like-button.tsx';
import { ShareButton } from '../social/share-dialog.tsx';
import { PlayContent } from '../watch/play-content.tsx';

const CommentSection = lazy(async () => ({
  default: (await import('../comments/comment-section.tsx')).CommentSection,
}));

type Short = NonNullable<WatchResult['content']>;

/** The feed decides when a short plays, and with which sound. */
const START: PlayerStart = { autoplay: false, loop: true, muted: true };

interface Properties {
  readonly card: ContentCardFragment;
  readonly place: number;
  readonly isShown: boolean;
  /** Whether its video is loaded. */
  readonly isLoaded: boolean;
  readonly muted: boolean;
  /** The browser allows playback only without sound. */
  readonly onSilenced: () => void;
}

/** A short that fills the screen, with what can be done at its side. */
export function ShortSlide({ card, place, isShown, isLoaded, muted, onSilenced }: Properties) {
  const element = useRef<HTMLElement>(null);
  const { data, error } = useQuery({ ...operationQuery(Watch, { code: card.shortCode }), enabled: isLoaded });
  const short = data?.content ?? null;
  const isReady = short !== null && isLoaded;
  usePlayback(element, { isShown, isReady, muted, onSilenced });
  const { title } = card.metadata;
  return (
    <article
      ref={element}
      data-place={place}
      aria-label={title}
      aria-posinset={place + 1}
      aria-setsize={-1}
      inert={!isShown}
      className="relative flex h-full snap-start snap-always items-end justify-center gap-3 pb-2"
    >
      <div className="relative aspect-9/16 h-full max-w-full overflow-hidden rounded-2xl bg-black text-white">
        {error !== null && (
          <div className="p-4">
            <ErrorNotice error={error} />
          </div>
        )}
        {isReady ? (
          <PlayContent
            content={short}
            from={0}
            fill
            bare
            start={START}
            otherwise={<p className="p-6">{t`Not ready yet.`}</p>}
          />
        ) : (
          error === null && <Spinner className="absolute inset-0 m-auto size-8" />
        )}
        <button
          type="button"
          tabIndex={-1}
          aria-hidden="true"
          className="absolute inset-0"
          onClick={() => togglePlayback(element.current)}
        />
        <div
          className={
            'pointer-events-none absolute inset-x-0 bottom-0 bg-linear-to-t from-black/80 to-transparent p-4 pt-16'
          }
        >
          <div className="flex flex-wrap items-center gap-x-3 *:pointer-events-auto">
            <Link to="/@{$handle}" params={{ handle: card.channel.handle }} className="font-semibold hover:underline">
              <bdi>@{card.channel.handle}</bdi>
            </Link>
            {short && (
              <span className="sm:hidden [&>span]:hidden">
                <FollowButton channel={short.channel} />
              </span>
            )}
          </div>
          <p dir="auto" className="line-clamp-2 [overflow-wrap:anywhere]">
            {title}
          </p>
        </div>
      </div>
      {short && <Actions short={short} />}
    </article>
  );
}

/** Plays or pauses the video of a short. */
export function togglePlayback(slide: Element | null): void {
  const video = slide?.querySelector('video');
  if (video?.paused) void video.play().catch(() => undefined);
  else video?.pause();
}

interface Playback {
  readonly isShown: boolean;
  readonly isReady: boolean;
  readonly muted: boolean;
  readonly onSilenced: () => void;
}

/** Plays the short that is shown, with the sound that the viewer chose for the feed. */
function usePlayback(slide: RefObject<HTMLElement | null>, { isShown, isReady, muted, onSilenced }: Playback): void {
  const silenced = useRef(onSilenced);
  silenced.current = onSilenced;
  useEffect(() => {
    const video = isReady ? slide.current?.querySelector('video') : null;
    if (!video) return;
    video.muted = muted;
    if (!isShown) {
      video.pause();
      video.currentTime = 0;
      return;
    }
    const start = (): void =>
      void video.play().catch((error: DOMException) => {
        if (error.name === 'NotAllowedError' && !muted) silenced.current();
      });
    const closing = new AbortController();
    // Loading the stream ends what was started before.
    video.addEventListener('canplay', start, { once: true, signal: closing.signal });
    start();
    return () => closing.abort();
  }, [slide, isShown, isReady, muted]);
}

/** On phones, buttons are on the video: small, dark and with the text below the icon. */
export const OVER_VIDEO =
  'max-sm:[&>button]:min-w-14 max-sm:[&>button]:flex-col max-sm:[&>button]:gap-0.5 max-sm:[&>button]:rounded-2xl ' +
  'max-sm:[&>button]:bg-black/65 max-sm:[&>button]:px-1.5 max-sm:[&>button]:text-xs max-sm:[&>button]:text-white';

function Actions({ short }: { short: Short }) {
  const [commenting, setCommenting] = useState(false);
  const { id, shortCode, likes, commentCount, channel, metadata } = short;
  return (
    <div
      className={
        'flex flex-col items-center gap-3 max-sm:absolute max-sm:end-2 max-sm:bottom-28 max-sm:z-10 ' + OVER_VIDEO
      }
    >
      <Link to="/@{$handle}" params={{ handle: channel.handle }} aria-label={channel.metadata.title}>
        <Avatar image={pickImage(channel.assets.images, 'AVATAR')} name={channel.metadata.title} />
      </Link>
      <LikeButton id={id} likes={likes} />
      <button
        type="button"
        aria-label={t`Comments, ${count(commentCount)}`}
        className={buttonClass('plain')}
        onClick={() => setCommenting(true)}
      >
        <Icon name="comments" className="size-5" />
        <span className="tabular-nums">{commentCount > 0 ? shortCount(commentCount) : t`Comments`}</span>
      </button>
      <ShareButton path={`/w/${shortCode}`} title={metadata.title} />
      <div className="hidden flex-col items-center gap-1 text-center sm:flex">
        <FollowButton channel={channel} />
      </div>
      <Dialog open={commenting} title={t`Comments`} hasClose onClose={() => setCommenting(false)}>
        <Suspense fallback={<Spinner className="mx-auto size-6" />}>
          <CommentSection content={short} isTitled={false} />
        </Suspense>
      </Dialog>
    </div>
  );
}
