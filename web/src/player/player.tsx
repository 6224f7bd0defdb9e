import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { Button, Spinner } from '../ui/button.tsx';
import { Icon } from '../ui/icons.tsx';
import { INITIAL_STATE, PlayerController } from './controller.ts';
import { Controls } from './controls.tsx';
import type { Storyboard } from './ranges.ts';
import { ShortcutHelp } from './shortcut-help.tsx';
import { commandFor } from './shortcuts.ts';

interface Properties {
  readonly url: string;
  readonly title: string;
  readonly artist: string;
  readonly poster: string | null;
  readonly storyboard: Storyboard | null;
  /** Width over height of the picture. */
  readonly aspect: number;
}

const IDLE_MS = 2600;
const subscribeNothing = () => () => undefined;

/** The player: a video element, its controls, and a keyboard that works wherever on the page nothing is being typed. */
export function Player({ url, title, artist, poster, storyboard, aspect }: Properties) {
  const frame = useRef<HTMLElement>(null);
  const video = useRef<HTMLVideoElement>(null);
  const [player, setPlayer] = useState<PlayerController | null>(null);
  const [help, setHelp] = useState(false);
  useEffect(() => {
    if (!video.current || !frame.current) return;
    const controller = new PlayerController(video.current, frame.current);
    setPlayer(controller);
    void controller.load(url, { play: navigator.userActivation?.hasBeenActive ?? false });
    return () => controller.destroy();
  }, [url]);
  const state = useSyncExternalStore(player?.subscribe ?? subscribeNothing, player?.state ?? (() => INITIAL_STATE));
  const { hidden, wake, hold } = useIdle(state.playing);
  useMediaSession(title, artist, poster);
  useShortcuts(player, () => setHelp(true), wake);
  const narrow = aspect < 1;
  return (
    <section
      ref={frame}
      aria-label={`Player: ${title}`}
      onPointerMove={wake}
      onPointerDown={wake}
      onFocus={wake}
      className={`player @container relative mx-auto overflow-hidden bg-black text-white ${hidden ? 'cursor-none' : ''} ${narrow ? 'max-w-[min(100%,26rem)]' : ''}`}
      style={{ aspectRatio: aspect, maxHeight: 'min(78dvh, 60rem)' }}
    >
      {/* biome-ignore lint/a11y/useMediaCaption: captions come with the stream and are added by its source */}
      <video
        ref={video}
        poster={poster ?? undefined}
        playsInline
        preload="metadata"
        aria-label={title}
        className="absolute inset-0 size-full"
      />
      <button
        type="button"
        tabIndex={-1}
        aria-hidden="true"
        className="absolute inset-0 cursor-[inherit]"
        onClick={(event) => ((event.nativeEvent as PointerEvent).pointerType === 'touch' ? wake() : player?.toggle())} // click events are pointer events
        onDoubleClick={() => void player?.toggleFullscreen()}
      />
      {player && state.untouched && !state.failure && (
        <button
          type="button"
          aria-label={`Play ${title}`}
          onClick={() => player.toggle()}
          className="absolute top-1/2 left-1/2 grid size-18 -translate-1/2 place-items-center rounded-full bg-accent text-on-accent shadow-xl transition-transform hover:scale-105"
        >
          {state.waiting ? <Spinner className="size-8" /> : <Icon name="play" className="ml-1 size-8" />}
        </button>
      )}
      {state.waiting && !state.untouched && !state.failure && (
        <p role="status" className="pointer-events-none absolute inset-0 flex flex-col items-center justify-center gap-3">
          <Spinner className="size-12" />
          <span className="rounded-full bg-black/70 px-3 py-1 text-sm font-medium">{state.recovering ?? 'Loading…'}</span>
        </p>
      )}
      {player && state.failure && (
        <div role="alert" className="absolute inset-0 grid place-items-center bg-black/80 p-4 text-center">
          <div className="space-y-2">
            <p className="text-lg font-semibold">{state.failure.message}</p>
            <p className="text-white/80">{state.failure.fix}</p>
            <Button look="primary" className="mt-2" onClick={() => player.retry()}>
              <Icon name="replay" /> Try again
            </Button>
          </div>
        </div>
      )}
      {player && !state.failure && (
        <div
          className={`absolute inset-x-0 bottom-0 bg-linear-to-t from-black/85 to-transparent pt-14 transition-opacity ${hidden ? 'opacity-0' : ''}`}
        >
          <Controls player={player} state={state} storyboard={storyboard} onMenu={hold} onHelp={() => setHelp(true)} />
        </div>
      )}
      <ShortcutHelp open={help} onClose={() => setHelp(false)} />
    </section>
  );
}

/** Controls go away while nothing moves, playback runs and no menu is open. */
function useIdle(playing: boolean) {
  const [active, setActive] = useState(true);
  const [held, setHeld] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const wake = useCallback(() => {
    setActive(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setActive(false), IDLE_MS);
  }, []);
  useEffect(() => {
    wake();
    return () => clearTimeout(timer.current);
  }, [wake]);
  return { hidden: playing && !active && !held, wake, hold: setHeld };
}

const TYPING = 'input, textarea, select, [contenteditable="true"], dialog';
const PRESSABLE = 'button, a, summary, [role="menuitemradio"]';

function useShortcuts(player: PlayerController | null, onHelp: () => void, wake: () => void): void {
  const help = useRef(onHelp);
  help.current = onHelp;
  useEffect(() => {
    if (!player) return;
    const onKeyDown = (event: globalThis.KeyboardEvent): void => {
      const target = event.target instanceof Element ? event.target : null;
      if (event.defaultPrevented || target?.closest(TYPING)) return;
      if (event.key === ' ' && target?.closest(PRESSABLE)) return;
      const command = commandFor(event);
      if (!command || (event.repeat && ['toggle', 'mute', 'fullscreen', 'pip', 'captions'].includes(command.do))) return;
      event.preventDefault();
      wake();
      if (!player.run(command)) help.current();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [player, wake]);
}

/** The title on lock screens and media keys. */
function useMediaSession(title: string, artist: string, poster: string | null): void {
  useEffect(() => {
    if (!('mediaSession' in navigator)) return;
    navigator.mediaSession.metadata = new MediaMetadata({ title, artist, artwork: poster ? [{ src: poster }] : [] });
    return () => {
      navigator.mediaSession.metadata = null;
    };
  }, [title, artist, poster]);
}
