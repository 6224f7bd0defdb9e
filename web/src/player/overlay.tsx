import { t } from '../lib/i18n.ts';
import { Button, Spinner } from '../ui/button.tsx';
import { Icon } from '../ui/icons.tsx';
import type { PlayerController } from './controller.ts';
import type { PlayerState } from './player-state.ts';

interface Properties {
  readonly player: PlayerController;
  readonly state: PlayerState;
  readonly title: string;
}

/** Overlay of the video: the initial play button, the loading spinner, or the error. */
export function Overlay({ player, state, title }: Properties) {
  if (state.failure) {
    return (
      <div role="alert" className="absolute inset-0 grid place-items-center bg-black/80 p-4 text-center">
        <div className="space-y-2">
          <p dir="auto" className="text-lg font-semibold">
            {state.failure.message}
          </p>
          <p dir="auto" className="text-white/80">
            {state.failure.fix}
          </p>
          <Button look="primary" className="mt-2" onClick={() => player.retry()}>
            <Icon name="replay" />
            {t`Try again`}
          </Button>
        </div>
      </div>
    );
  }
  if (state.notStarted) {
    return (
      <button
        type="button"
        aria-label={t`Play ${title}`}
        onClick={() => player.toggle()}
        className={
          'absolute top-1/2 left-1/2 z-10 grid size-18 -translate-1/2 place-items-center rounded-full ' +
          'bg-accent text-on-accent shadow-xl transition-transform hover:scale-105'
        }
      >
        {state.waiting ? <Spinner className="size-8" /> : <Icon name="play" className="ml-1 size-8" />}
      </button>
    );
  }
  if (!state.waiting) return null;
  return (
    <p role="status" className="pointer-events-none absolute inset-0 flex flex-col items-center justify-center gap-3">
      <Spinner className="size-12" />
      <span dir="auto" className="rounded-full bg-black/70 px-3 py-1 text-sm font-medium">
        {state.recovering ?? t`Loading…`}
      </span>
    </p>
  );
}
