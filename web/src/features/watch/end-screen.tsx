import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import type { ContentCardFragment } from '../../gql/generated/operations.gen.ts';
import { plural, t } from '../../lib/i18n.ts';
import { count } from '../../lib/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { Thumbnail } from '../browse/content-card.tsx';
import type { QueueEntry } from '../queue/queue.ts';
import { useNowPlaying } from './now-playing.ts';

/** How long viewers have to cancel. */
const COUNTDOWN_SECONDS = 8;

type Next = Pick<QueueEntry, 'label' | 'content' | 'search'>;

interface Properties {
  readonly next: Next | null;
  readonly related: readonly ContentCardFragment[];
  readonly autoplay: boolean;
}

/** After the end of the video, over it: the next one with a countdown, or related ones. */
export function EndScreen({ next, related, autoplay }: Properties) {
  const { player, layer } = useNowPlaying();
  const ended = useSyncExternalStore(player?.subscribe ?? nothing, () => player?.state().ended ?? false);
  const [isCancelled, setCancelled] = useState(false);
  useEffect(() => {
    if (!ended) setCancelled(false);
  }, [ended]);
  if (!ended || !layer || related.length + Number(next !== null) === 0) return null;
  const isStarting = next !== null && autoplay && !isCancelled;
  return createPortal(
    <div className="absolute inset-0 overflow-hidden bg-black/85 p-3 pb-20 @lg:p-6 @lg:pb-24">
      {isStarting ? <Starting next={next} onCancel={() => setCancelled(true)} /> : <Related related={related} />}
    </div>,
    layer,
  );
}

const nothing = () => () => undefined;

/** Whether a text on the page would be lost. */
const isWriting = (): boolean =>
  document.querySelector('dialog[open]') !== null ||
  [...document.querySelectorAll('textarea')].some(({ value, readOnly }) => !readOnly && value.trim() !== '');

/** Counts down to the next video; waits while the viewer writes something. */
function Starting({ next, onCancel }: { next: Next; onCancel: () => void }) {
  const [left, setLeft] = useState(COUNTDOWN_SECONDS);
  const seconds = count(Math.max(0, left));
  const navigate = useNavigate();
  const play = (): void =>
    void navigate({ to: '/w/$code', params: { code: next.content.shortCode }, search: next.search });
  const start = useRef(play);
  start.current = play;
  useEffect(() => {
    const timer = setInterval(() => setLeft((before) => (isWriting() ? before : before - 1)), 1000);
    return () => clearInterval(timer);
  }, []);
  useEffect(() => {
    if (left === 0) start.current();
  }, [left]);
  return (
    <div className="mx-auto flex h-full max-w-md flex-col items-center justify-center gap-3 text-center">
      <p role="status" className="sr-only">
        {t`Up next: ${next.label}.`}{' '}
        {plural(COUNTDOWN_SECONDS, { one: 'It starts in # second.', other: 'It starts in # seconds.' })}
      </p>
      <p aria-hidden="true" dir="auto" className="text-sm text-white/80 tabular-nums">
        {t`Up next in ${seconds}`}
      </p>
      <div className="hidden w-56 @lg:block">
        <Thumbnail content={next.content} sizes="14rem" />
      </div>
      <p aria-hidden="true" dir="auto" className="line-clamp-2 font-semibold @lg:text-lg">
        {next.label}
      </p>
      <div className="flex gap-3">
        <Button onClick={onCancel}>{t`Cancel`}</Button>
        <Button look="primary" onClick={play}>{t`Play now`}</Button>
      </div>
    </div>
  );
}

function Related({ related }: { related: readonly ContentCardFragment[] }) {
  return (
    <ul
      aria-label={t`Related videos`}
      className={
        'mx-auto grid max-h-full max-w-4xl grid-cols-2 content-center gap-x-4 gap-y-3 @2xl:grid-cols-3 ' +
        '@max-2xl:[&>:nth-child(n+3)]:hidden @lg:h-full'
      }
    >
      {related.slice(0, 6).map((content) => (
        <li key={content.id} className="group relative min-w-0">
          <Thumbnail content={content} sizes="16rem" />
          <Link
            to="/w/$code"
            params={{ code: content.shortCode }}
            dir="auto"
            className={
              'mt-1.5 line-clamp-1 text-sm font-semibold after:absolute after:inset-0 after:rounded-xl ' +
              'hover:underline'
            }
          >
            {content.card.title}
          </Link>
        </li>
      ))}
    </ul>
  );
}
