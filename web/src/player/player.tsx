import { type ReactNode, useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { t } from '../lib/i18n.ts';
import { PlayerController, type StartOptions } from './controller.ts';
import { Controls } from './controls.tsx';
import { Overlay } from './overlay.tsx';
import { playerBox } from './player-box.ts';
import { INITIAL_STATE, type Theatre } from './player-state.ts';
import type { Chapter } from './ranges.ts';
import { reportPlayback } from './report-playback.ts';
import { ShortcutHelp } from './shortcut-help.tsx';
import { commandFor } from './shortcuts.ts';
import type { Storyboard } from './storyboard.ts';

/** What the page around an embedded player asks for. */
export interface PlayerStart extends StartOptions {
  /** Default: if the viewer has interacted with the page. */
  readonly autoplay?: boolean;
}

interface Properties {
  /** DID of the content, for playback events. */
  readonly contentId: string;
  /** Start position in seconds. */
  readonly startAt: number;
  readonly url: string;
  readonly title: string;
  readonly artist: string;
  readonly poster: string | null;
  readonly storyboard: Storyboard | null;
  readonly chapters?: readonly Chapter[];
  /** Aspect ratio: width divided by height. */
  readonly aspect: number;
  /** Fills its container instead of keeping the aspect ratio. */
  readonly fill?: boolean;
  /** Shown at the top, together with the controls. */
  readonly top?: ReactNode;
  /** How it starts; must not change. */
  readonly start?: PlayerStart;
  /** Without controls: the page around it has its own. */
  readonly bare?: boolean;
  /** Where the page has a wide layout. */
  readonly theatre?: Theatre;
  /** Passes an element over the video and below the controls, for what the page shows there; null on unmount. */
  readonly onLayer?: (layer: HTMLElement | null) => void;
  /** Passes the controller to other parts of the page; null on unmount. */
  readonly onPlayer?: (player: PlayerController | null) => void;
}

const NO_CHAPTERS: readonly Chapter[] = [];
const IDLE_MS = 2600;
const subscribeNothing = () => () => undefined;

/** The player: a video element, its controls, and shortcuts that work on the whole page except while typing. */
export function Player({
  contentId,
  startAt,
  url,
  title,
  artist,
  poster,
  storyboard,
  chapters = NO_CHAPTERS,
  aspect,
  fill = false,
  top,
  start,
  bare = false,
  theatre,
  onLayer,
  onPlayer,
}: Properties) {
  const frame = useRef<HTMLElement>(null);
  const video = useRef<HTMLVideoElement>(null);
  const [player, setPlayer] = useState<PlayerController | null>(null);
  const [help, setHelp] = useState(false);
  useEffect(() => {
    if (!video.current || !frame.current) return;
    const controller = new PlayerController(video.current, frame.current, start);
    setPlayer(controller);
    const endReports = reportPlayback(video.current, controller, contentId);
    void controller.load(url, {
      play: start?.autoplay ?? navigator.userActivation?.hasBeenActive ?? false,
      startAt,
    });
    return () => {
      endReports();
      controller.destroy();
    };
  }, [url, contentId, startAt, start]);
  const state = useSyncExternalStore(player?.subscribe ?? subscribeNothing, player?.state ?? (() => INITIAL_STATE));
  useEffect(() => {
    onPlayer?.(player);
    return () => onPlayer?.(null);
  }, [player, onPlayer]);
  const { hidden, wake, hold } = useIdle(state.playing);
  useMediaSession(title, artist, poster);
  useShortcuts(bare ? null : player, { help: () => setHelp(true), theatre: theatre?.toggle }, wake);
  const box = fill ? { className: 'mx-auto size-full', style: undefined } : playerBox(aspect, theatre?.on ?? false);
  return (
    <section
      ref={frame}
      aria-label={t`Player: ${title}`}
      dir="ltr"
      data-controls={!hidden}
      onPointerMove={wake}
      onPointerDown={wake}
      onFocus={wake}
      className={
        'player [container-type:size] relative overflow-hidden bg-black text-white ' +
        `${hidden ? 'cursor-none' : ''} ${box.className}`
      }
      style={box.style}
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
      {!bare && (
        <button
          type="button"
          tabIndex={-1}
          aria-hidden="true"
          className="absolute inset-0 cursor-[inherit]"
          // Click events are pointer events.
          onClick={(event) => ((event.nativeEvent as PointerEvent).pointerType === 'touch' ? wake() : player?.toggle())}
          onDoubleClick={() => void player?.toggleFullscreen()}
        />
      )}
      {top && !bare && (
        <div
          className={
            'absolute inset-x-0 top-0 bg-linear-to-b from-black/85 to-transparent p-3 pb-10 transition-opacity ' +
            `focus-within:opacity-100 @lg:p-4 @lg:pb-12 ${hidden ? 'opacity-0' : ''}`
          }
        >
          {top}
        </div>
      )}
      {player && (!bare || state.failure) && <Overlay player={player} state={state} title={title} />}
      {onLayer && <div ref={onLayer} className="contents" />}
      {player && !bare && !state.failure && (
        <div
          className={
            'pointer-events-none absolute inset-x-0 bottom-0 bg-linear-to-t from-black/85 ' +
            `to-transparent pt-14 transition-opacity ${hidden ? 'opacity-0' : ''}`
          }
        >
          <Controls
            player={player}
            state={state}
            storyboard={storyboard}
            chapters={chapters}
            theatre={theatre}
            onMenu={hold}
            onHelp={() => setHelp(true)}
          />
        </div>
      )}
      <ShortcutHelp open={help} theatre={theatre !== undefined} onClose={() => setHelp(false)} />
    </section>
  );
}

/** Hides the controls during playback without pointer movement, unless a menu is open. */
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

/** Not repeated while a key is held. */
const ONCE = ['toggle', 'mute', 'fullscreen', 'pip', 'captions', 'theatre'];

interface PageCommands {
  readonly help: () => void;
  readonly theatre: (() => void) | undefined;
}

function useShortcuts(player: PlayerController | null, commands: PageCommands, wake: () => void): void {
  const page = useRef(commands);
  page.current = commands;
  useEffect(() => {
    if (!player) return;
    const onKeyDown = (event: globalThis.KeyboardEvent): void => {
      const target = event.target instanceof Element ? event.target : null;
      if (event.defaultPrevented || target?.closest(TYPING)) return;
      if (event.key === ' ' && target?.closest(PRESSABLE)) return;
      const command = commandFor(event);
      if (!command || (event.repeat && ONCE.includes(command.do))) return;
      if (command.do === 'theatre' && !page.current.theatre) return;
      event.preventDefault();
      wake();
      if (player.run(command)) return;
      if (command.do === 'theatre') page.current.theatre?.();
      else page.current.help();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [player, wake]);
}

/** Metadata for lock screens and media keys. */
function useMediaSession(title: string, artist: string, poster: string | null): void {
  useEffect(() => {
    if (!('mediaSession' in navigator)) return;
    navigator.mediaSession.metadata = new MediaMetadata({ title, artist, artwork: poster ? [{ src: poster }] : [] });
    return () => {
      navigator.mediaSession.metadata = null;
    };
  }, [title, artist, poster]);
}
