import { type RefObject, useEffect, useRef, useState } from 'react';
import type { ContentCardFragment } from '../../gql/generated/operations.gen.ts';
import { t } from '../../lib/i18n.ts';
import { readPreferences, savePreferences } from '../../player/preferences.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { stopPlaying } from '../watch/now-playing.ts';
import { feedCommand, hasPlayer, placeAfter } from './feed-keys.ts';
import { OVER_VIDEO, ShortSlide, togglePlayback } from './short-slide.tsx';

interface Properties {
  readonly shorts: readonly ContentCardFragment[];
  /** Called with the short that is shown. */
  readonly onShow: (short: ContentCardFragment) => void;
  /** Called when the last shorts are near. */
  readonly onMore: () => void;
}

/** Shorts below each other, one for each screen: moved by swipe, wheel and keys. */
export function ShortsFeed({ shorts, onShow, onMore }: Properties) {
  const feed = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState(0);
  const [muted, setMuted] = useState(() => readPreferences().muted);
  useEffect(stopPlaying, []);
  useShownPlace(feed, shorts.length, setShown);
  const current = shorts[shown];
  // biome-ignore lint/correctness/useExhaustiveDependencies: called for another short, not for another function
  useEffect(() => {
    if (current) onShow(current);
    if (shown >= shorts.length - 3) onMore();
  }, [current?.id, shorts.length]);
  const mute = (off: boolean): void => {
    setMuted(off);
    savePreferences({ muted: off });
  };
  const go = (place: number): void => {
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const slide = feed.current?.children[place];
    // Of the feed only: scrollIntoView would move the page, too.
    if (slide instanceof HTMLElement)
      feed.current?.scrollTo({ top: slide.offsetTop, behavior: still ? 'instant' : 'smooth' });
  };
  useFeedKeys((key) => {
    const command = feedCommand(key);
    if (command === null) return false;
    if (command === 'toggle') togglePlayback(feed.current?.children[shown] ?? null);
    else if (command === 'mute') mute(!muted);
    else go(placeAfter(command, shown, shorts.length));
    return true;
  });
  return (
    <div className="relative">
      <div
        ref={feed}
        role="feed"
        aria-label={t`Shorts`}
        className={
          'h-[calc(100dvh-9rem)] snap-y snap-mandatory overflow-y-auto overscroll-contain [scrollbar-width:none] ' +
          'lg:h-[calc(100dvh-6.5rem)]'
        }
      >
        {shorts.map((card, place) => (
          <ShortSlide
            key={card.id}
            card={card}
            place={place}
            isShown={place === shown}
            isLoaded={hasPlayer(place, shown)}
            muted={muted}
            onSilenced={() => setMuted(true)}
          />
        ))}
      </div>
      <div className={`absolute top-2 end-2 flex flex-col gap-2 ${OVER_VIDEO}`}>
        <Button look="plain" aria-pressed={muted} aria-label={t`Mute`} onClick={() => mute(!muted)}>
          <Icon name={muted ? 'muted' : 'volume'} />
        </Button>
        <Button look="plain" aria-label={t`Previous short`} disabled={shown === 0} onClick={() => go(shown - 1)}>
          <Icon name="up" />
        </Button>
        <Button
          look="plain"
          aria-label={t`Next short`}
          disabled={shown >= shorts.length - 1}
          onClick={() => go(shown + 1)}
        >
          <Icon name="down" />
        </Button>
      </div>
      <p role="status" className="sr-only">
        {current?.metadata.title}
      </p>
    </div>
  );
}

/** Reports which short fills the feed. */
function useShownPlace(feed: RefObject<HTMLDivElement | null>, count: number, onShown: (place: number) => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: more shorts are observed, too
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        const seen = entries.find(({ isIntersecting }) => isIntersecting);
        if (seen) onShown(Number((seen.target as HTMLElement).dataset.place));
      },
      { root: feed.current, threshold: 0.6 },
    );
    for (const slide of feed.current?.children ?? []) observer.observe(slide);
    return () => observer.disconnect();
  }, [feed, count]);
}

const ELSEWHERE = 'input, textarea, select, [contenteditable="true"], dialog';
const PRESSABLE = 'button, a';

/** Calls back with keys of the whole page, except while something else uses them; true: the key was used. */
function useFeedKeys(onKey: (key: string) => boolean): void {
  const latest = useRef(onKey);
  latest.current = onKey;
  useEffect(() => {
    const closing = new AbortController();
    document.addEventListener(
      'keydown',
      (event) => {
        const target = event.target as Element;
        if (event.ctrlKey || event.metaKey || event.altKey || target.closest(ELSEWHERE)) return;
        if (event.key === ' ' && target.closest(PRESSABLE)) return;
        if (latest.current(event.key)) event.preventDefault();
      },
      { signal: closing.signal },
    );
    return () => closing.abort();
  }, []);
}
