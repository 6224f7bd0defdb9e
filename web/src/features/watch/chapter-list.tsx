import { useSyncExternalStore } from 'react';
import { clockTime, spokenTime } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';
import type { PlayerController } from '../../player/controller.ts';
import { type Chapter, chapterAt } from '../../player/ranges.ts';

interface Properties {
  readonly chapters: readonly Chapter[];
  /** Null until the player is mounted. */
  readonly player: PlayerController | null;
}

const nothing = () => () => undefined;

/** The chapters of a video, as buttons that seek to them. */
export function ChapterList({ chapters, player }: Properties) {
  const current = useSyncExternalStore(player?.subscribe ?? nothing, () =>
    player ? chapterAt(chapters, player.state().time) : null,
  );
  if (chapters.length === 0) return null;
  return (
    <section aria-labelledby="chapters" className="space-y-3">
      <h2 id="chapters" className="text-lg font-semibold">{t`Chapters`}</h2>
      <ol className="grid gap-1 sm:grid-cols-2">
        {chapters.map((chapter) => (
          <li key={chapter.startSeconds}>
            <button
              type="button"
              aria-current={chapter === current ? 'true' : undefined}
              disabled={!player}
              onClick={() => player?.seek(chapter.startSeconds)}
              className={
                'flex min-h-10 w-full items-baseline gap-3 rounded-lg px-3 py-2 text-start ' +
                'hover:bg-raised aria-[current]:bg-raised aria-[current]:font-semibold'
              }
            >
              <span className="shrink-0 text-sm text-accent-text tabular-nums" aria-hidden="true">
                {clockTime(chapter.startSeconds)}
              </span>
              <span className="sr-only">{t`At ${spokenTime(chapter.startSeconds)}:`} </span>
              <span dir="auto" className="min-w-0 [overflow-wrap:anywhere]">
                {chapter.title}
              </span>
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}
