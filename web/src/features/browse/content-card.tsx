import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import type { ContentCardFragment } from '../../gql/generated/operations.gen.ts';
import { ago, clockTime, spokenTime, viewCountText } from '../../lib/format.ts';
import { t, tc } from '../../lib/i18n.ts';
import { percent } from '../../lib/numbers.ts';
import { ResponsiveImage } from '../../ui/image.tsx';
import { CardMenu } from '../playlist/card-menu.tsx';
import { type Broadcastable, broadcastOf, broadcastText, isOver, signText } from './broadcast-sign.ts';
import { useCardReport } from './card-reporter.ts';
import { ContentLink } from './content-link.tsx';
import { HoverPreview } from './hover-preview.tsx';

const SIZES = '(min-width: 80rem) 25rem, (min-width: 40rem) 45vw, 92vw';

export interface CardProperties {
  readonly content: ContentCardFragment;
  readonly eager?: boolean;
  /** Whether to show the channel; its own page does not. */
  readonly named?: boolean;
  /** Portrait images, for lists of shorts. */
  readonly tall?: boolean;
  /** `h3` below a heading of its list. */
  readonly heading?: 'h2' | 'h3';
}

/** A content card: thumbnail with duration and progress, title, channel and age. The whole card is a link. */
export function ContentCard({
  content,
  eager = false,
  named = true,
  tall = false,
  heading: Heading = 'h2',
}: CardProperties) {
  return (
    <article className="group relative">
      <Thumbnail content={content} sizes={SIZES} eager={eager} className={tall ? 'aspect-[9/16]' : 'aspect-video'} />
      <div className="mt-3 flex items-start justify-between gap-2">
        <Heading className="line-clamp-2 min-w-0 leading-snug font-semibold [overflow-wrap:anywhere]">
          <ContentLink
            content={content}
            className="after:absolute after:inset-0 after:rounded-xl group-hover:text-accent-text"
          >
            <bdi>{content.card.title}</bdi>
          </ContentLink>
        </Heading>
        <CardMenu contentId={content.id} title={content.card.title} />
      </div>
      <p className="mt-1 text-sm text-muted [overflow-wrap:anywhere]">
        {named && (
          <>
            <Link
              to="/@{$handle}"
              params={{ handle: content.channel.handle }}
              className="relative z-10 hover:text-fore"
            >
              <bdi>{content.channel.metadata.title}</bdi>
            </Link>
            {' · '}
          </>
        )}
        <Facts content={content} />
      </p>
    </article>
  );
}

/** The same as a row, for narrow columns. */
export function ContentRow({ content }: { content: ContentCardFragment }) {
  return (
    <article className="group relative flex gap-3">
      <Thumbnail content={content} sizes="10rem" className="aspect-video w-40 shrink-0 self-start" />
      <div className="min-w-0 grow space-y-1">
        <h3 className="line-clamp-2 text-[0.95rem] leading-snug font-semibold [overflow-wrap:anywhere]">
          <ContentLink
            content={content}
            className="after:absolute after:inset-0 after:rounded-xl group-hover:text-accent-text"
          >
            <bdi>{content.card.title}</bdi>
          </ContentLink>
        </h3>
        <p className="text-sm text-muted">
          <span className="block truncate">{content.channel.metadata.title}</span>
          <Facts content={content} />
        </p>
      </div>
      <CardMenu contentId={content.id} title={content.card.title} />
    </article>
  );
}

/** What is no plain video: `Season 2`. Null for others. */
function kindText(kind: ContentCardFragment['kind'], number: number | null): string | null {
  switch (kind) {
    case 'SERIES':
      return tc('one', 'Series');
    case 'MINISERIES':
      return t`Miniseries`;
    case 'SEASON':
      return number === null ? t`Season` : t`Season ${number}`;
    case 'EPISODE':
      return number === null ? t`Episode` : t`Episode ${number}`;
    default:
      return null;
  }
}

interface FactsProperties {
  readonly content: Broadcastable &
    Pick<ContentCardFragment, 'kind' | 'viewCount' | 'publishedAt'> & {
      readonly metadata: { readonly number: number | null };
    };
  /** Whether to show kind and number; a list of episodes numbers them itself. */
  readonly numbered?: boolean;
}

/** Kind (except for videos), view count and age; of a broadcast, when it begins or how many watch it. */
export function Facts({ content, numbered = true }: FactsProperties) {
  const { kind, metadata, viewCount, publishedAt } = content;
  const broadcast = broadcastOf(content);
  const now = broadcastText(broadcast);
  if (now !== null) return now;
  const named = numbered ? kindText(kind, metadata.number) : null;
  const container = kind === 'SERIES' || kind === 'SEASON' || kind === 'MINISERIES';
  return (
    <>
      {broadcast && isOver(broadcast) && `${t`Was live`} · `}
      {named && `${named} · `}
      {!container && viewCount > 0 && `${viewCountText(viewCount)} · `}
      {publishedAt ? <time dateTime={publishedAt}>{ago(publishedAt, Date.now())}</time> : t`Private`}
    </>
  );
}

interface ThumbnailProperties {
  readonly content: Broadcastable &
    Pick<ContentCardFragment, 'id' | 'card' | 'shortCode' | 'watchPosition'> & {
      readonly metadata: { readonly duration: number | null };
    };
  readonly sizes: string;
  readonly eager?: boolean;
  readonly className?: string;
  /** False for the content that is playing, which is no recommendation. */
  readonly reported?: boolean;
}

const SIGN = 'absolute end-2 bottom-2 rounded-md px-1.5 py-0.5 text-xs font-semibold text-white tabular-nums ';

/** The thumbnail with duration, or what its broadcast does, hover preview and progress bar. */
export function Thumbnail({
  content,
  sizes,
  eager = false,
  className = 'aspect-video',
  reported = true,
}: ThumbnailProperties) {
  const frame = useRef<HTMLDivElement>(null);
  useCardReport(frame, reported ? content : null);
  const { duration } = content.metadata;
  const sign = signText(broadcastOf(content), Date.now());
  const watched = watchedPercent(content);
  const share = percent((watched ?? 0) / 100);
  return (
    <div ref={frame} className={`relative overflow-hidden rounded-xl border border-line bg-raised ${className}`}>
      <ResponsiveImage
        image={content.card.image}
        sizes={sizes}
        eager={eager}
        className="size-full transition-transform duration-300 group-hover:scale-[1.03]"
      />
      {duration !== null && <HoverPreview contentId={content.id} />}
      {sign && <span className={SIGN + (sign.isLive ? 'bg-danger-fill' : 'bg-black/80')}>{sign.text}</span>}
      {!sign && duration !== null && (
        <span className={`${SIGN}bg-black/80`}>
          <span aria-hidden="true">{clockTime(duration)}</span>
          <span className="sr-only">{spokenTime(duration)}</span>
        </span>
      )}
      {watched !== null && (
        <span dir="ltr" className="absolute inset-x-0 bottom-0 h-1 bg-black/60">
          <span className="block h-full bg-accent" style={{ width: `${watched}%` }} />
          <span className="sr-only">{t`${share} watched`}</span>
        </span>
      )}
    </div>
  );
}

/** Watched percentage from 1 to 100; null when nothing was watched. */
function watchedPercent({ watchPosition, metadata }: ThumbnailProperties['content']): number | null {
  if (!watchPosition || !metadata.duration) return null;
  if (watchPosition.completed) return 100;
  const percent = Math.round((watchPosition.positionMs / 1_000 / metadata.duration) * 100);
  return percent < 1 ? null : Math.min(100, percent);
}
