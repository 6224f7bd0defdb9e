import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import type { FeatureCardFragment, FeaturePageFragment } from '../../gql/generated/operations.gen.ts';
import { channelPath, watchPath } from '../../lib/did.ts';
import { ago, clockTime, spokenTime } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Picture, pick } from '../../ui/picture.tsx';

const SIZES = '(min-width: 80rem) 25rem, (min-width: 40rem) 45vw, 92vw';

/** As many columns as fit; up to three videos fill the row of a wide page among themselves. */
const MANY = 'grid-cols-[repeat(auto-fill,minmax(min(100%,17rem),1fr))]';
const FEW = 'sm:grid-cols-2 lg:grid-cols-3';

/** One video: picture with its length, title, channel and age. The whole card follows the title's link. */
export function FeatureCard({ feature, eager = false, named = true }: { feature: FeatureCardFragment; eager?: boolean; named?: boolean }) {
  const { title, duration } = feature.metadata;
  return (
    <article className="group relative">
      <div className="relative aspect-video overflow-hidden rounded-xl border border-line bg-raised">
        <Picture
          image={pick(feature.assets.images, 'THUMBNAIL', 'POSTER')}
          sizes={SIZES}
          eager={eager}
          className="size-full transition-transform duration-300 group-hover:scale-[1.03]"
        />
        {duration !== null && (
          <span className="absolute right-2 bottom-2 rounded-md bg-black/80 px-1.5 py-0.5 text-xs font-semibold text-white tabular-nums">
            <span aria-hidden="true">{clockTime(duration)}</span>
            <span className="sr-only">{spokenTime(duration)}</span>
          </span>
        )}
      </div>
      <h3 className="mt-3 line-clamp-2 leading-snug font-semibold [overflow-wrap:anywhere]">
        <Link
          to="/watch/$"
          params={{ _splat: watchPath(feature.id) }}
          className="after:absolute after:inset-0 after:rounded-xl group-hover:text-accent-text"
        >
          {title}
        </Link>
      </h3>
      <p className="mt-1 truncate text-sm text-muted">
        {named && (
          <>
            <Link to="/channel/$id" params={{ id: channelPath(feature.channel.id) }} className="relative z-10 hover:text-fore">
              {feature.channel.metadata.title}
            </Link>
            {feature.publishedAt && ' · '}
          </>
        )}
        {feature.publishedAt && <time dateTime={feature.publishedAt}>{ago(feature.publishedAt, Date.now())}</time>}
      </p>
    </article>
  );
}

interface Properties {
  /** The page that came with the route. */
  readonly first: FeaturePageFragment;
  readonly more: (after: string) => Promise<FeaturePageFragment | null | undefined>;
  readonly named?: boolean;
}

/** A grid that grows by cursor; focus moves to the first new video, so that keyboard users go on from there. */
export function FeatureGrid({ first, more, named = true }: Properties) {
  const [pages, setPages] = useState<readonly FeaturePageFragment[]>([]);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const grid = useRef<HTMLDivElement>(null);
  const all = [first, ...pages];
  const last = all.at(-1)?.pageInfo;
  const features = [...new Map(all.flatMap(({ edges }) => edges).map(({ node }) => [node.id, node])).values()];
  const load = async (): Promise<void> => {
    if (!last?.endCursor) return;
    setBusy(true);
    setError(null);
    try {
      const page = await more(last.endCursor);
      if (page) setPages((known) => [...known, page]);
      requestAnimationFrame(() => grid.current?.querySelectorAll<HTMLAnchorElement>('h3 a')[features.length]?.focus());
    } catch (failure) {
      setError(failure);
    }
    setBusy(false);
  };
  return (
    <>
      <div ref={grid} className={`grid gap-x-5 gap-y-8 ${features.length <= 3 ? FEW : MANY}`}>
        {features.map((feature, index) => (
          <FeatureCard key={feature.id} feature={feature} eager={index < 4} named={named} />
        ))}
      </div>
      {error !== null && (
        <div className="mx-auto mt-8 max-w-xl">
          <ErrorNotice error={error} />
        </div>
      )}
      {last?.hasNextPage && (
        <p className="mt-10 text-center">
          <Button busy={busy} onClick={() => void load()}>
            Show more videos
          </Button>
        </p>
      )}
    </>
  );
}
