import { Link } from '@tanstack/react-router';
import { useEffect, useId, useRef } from 'react';
import { videoCountText } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';
import { count } from '../../lib/numbers.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { EXACT } from '../../ui/tabs.tsx';
import { Thumbnail } from '../browse/content-card.tsx';
import { neighbours, type Queue, type QueueEntry } from '../queue/queue.ts';
import { AutoplayField, type AutoplaySetting } from './autoplay.tsx';

interface Properties {
  readonly queue: Queue;
  readonly autoplay: AutoplaySetting;
}

/** The current season or playlist: position, previous and next, and all entries. */
export function QueuePanel({ queue, autoplay }: Properties) {
  const id = useId();
  const { previous, next } = neighbours(queue);
  const [position, total] = [count(queue.index + 1), count(queue.totalCount)];
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const current = list.current?.children[queue.index];
    if (list.current && current instanceof HTMLElement)
      list.current.scrollTop = current.offsetTop - list.current.offsetTop - 60;
  }, [queue.index]);
  return (
    <section aria-labelledby={id} className="overflow-hidden card">
      <header className="space-y-2 border-b border-line p-4">
        <h2 id={id} className="font-semibold [overflow-wrap:anywhere]">
          <a href={queue.path} className="hover:text-accent-text">
            <bdi>{queue.title}</bdi>
          </a>
        </h2>
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="me-auto text-sm text-muted tabular-nums">
            {queue.index >= 0 ? t`${position} of ${total}` : videoCountText(queue.totalCount)}
          </span>
          <Step entry={previous} name={t`Previous`} icon="previous" />
          <Step entry={next} name={t`Next`} icon="next" />
        </div>
        <AutoplayField {...autoplay} />
      </header>
      <ol ref={list} className="max-h-[26rem] overflow-y-auto p-2">
        {queue.entries.map((entry, index) => (
          <Entry key={entry.key} entry={entry} current={index === queue.index} />
        ))}
      </ol>
    </section>
  );
}

function Step({ entry, name, icon }: { entry: QueueEntry | null; name: string; icon: IconName }) {
  const face = <Icon name={icon} className="size-5 rtl:-scale-x-100" />;
  if (!entry) {
    return (
      <button type="button" disabled aria-label={name} className={buttonClass('quiet')}>
        {face}
      </button>
    );
  }
  return (
    <Link
      to="/w/$code"
      params={{ code: entry.content.shortCode }}
      search={entry.search}
      aria-label={`${name}: ${entry.label}`}
      title={`${name}: ${entry.label}`}
      className={buttonClass('quiet')}
    >
      {face}
    </Link>
  );
}

function Entry({ entry, current }: { entry: QueueEntry; current: boolean }) {
  return (
    <li
      className={`group relative flex items-center gap-3 rounded-xl p-2 ${current ? 'bg-raised' : 'hover:bg-raised'}`}
    >
      <div className="w-28 shrink-0">
        <Thumbnail content={entry.content} sizes="7rem" reported={!current} />
      </div>
      <Link
        to="/w/$code"
        params={{ code: entry.content.shortCode }}
        search={entry.search}
        activeOptions={EXACT}
        aria-current={current ? 'true' : undefined}
        className={
          'line-clamp-3 min-w-0 text-[0.95rem] leading-snug after:absolute after:inset-0 after:rounded-xl ' +
          `[overflow-wrap:anywhere] ${current ? 'font-semibold text-accent-text' : ''}`
        }
      >
        <bdi>{entry.label}</bdi>
      </Link>
    </li>
  );
}
