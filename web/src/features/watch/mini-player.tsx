import { Link } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';
import { t } from '../../lib/i18n.ts';
import type { PlayerController } from '../../player/controller.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { useUploadsPresent } from '../uploads/upload-presence.ts';
import { setDock, stopPlaying, useNowPlaying } from './now-playing.ts';

/** The video in a corner while the viewer looks at other pages: return to its page, pause, close. */
export function MiniPlayer() {
  const { playing, isMini, player } = useNowPlaying();
  const hasUploads = useUploadsPresent(); // their list is at the right
  const title = playing?.content.card.title ?? '';
  return (
    <section
      aria-label={t`Mini player: ${title}`}
      hidden={!isMini}
      className={
        'fixed bottom-20 z-20 w-60 overflow-hidden rounded-2xl border border-line bg-surface shadow-2xl ' +
        `sm:w-88 lg:bottom-4 ${hasUploads ? 'start-4' : 'end-4'}`
      }
    >
      <p role="status" className="sr-only">
        {isMini && t`${title} continues in the mini player.`}
      </p>
      <div ref={setDock} className="aspect-video bg-black" />
      {playing && player && (
        <div className="flex items-center gap-1 py-1.5 pe-1.5 ps-3">
          <Link
            to="/w/$code"
            params={{ code: playing.content.shortCode }}
            search={playing.search}
            aria-label={t`Return to ${title}`}
            title={t`Return to the video`}
            dir="auto"
            className={
              'min-w-0 grow truncate text-sm font-semibold hover:text-accent-text after:absolute after:inset-0 ' +
              'focus-visible:after:rounded-2xl'
            }
          >
            {title}
          </Link>
          <PlayButton player={player} />
          <button
            type="button"
            aria-label={t`Close the mini player`}
            title={t`Close the mini player`}
            className={buttonClass('quiet', 'relative z-10')}
            onClick={stopPlaying}
          >
            <Icon name="close" className="size-5" />
          </button>
        </div>
      )}
    </section>
  );
}

function PlayButton({ player }: { player: PlayerController }) {
  const { playing, ended } = useSyncExternalStore(player.subscribe, player.state);
  const name = ended ? t`Replay` : playing ? t`Pause` : t`Play`;
  return (
    <button
      type="button"
      aria-label={name}
      title={name}
      className={buttonClass('quiet', 'relative z-10')}
      onClick={() => player.toggle()}
    >
      <Icon name={ended ? 'replay' : playing ? 'pause' : 'play'} className="size-5" />
    </button>
  );
}
