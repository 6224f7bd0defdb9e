import { type ReactNode, useEffect, useState } from 'react';
import { t } from '../lib/i18n.ts';
import type { PlayerController } from './controller.ts';
import { Controls } from './controls.tsx';
import { Overlay } from './overlay.tsx';
import { playerBox } from './player-box.ts';
import type { Theatre } from './player-state.ts';
import type { Chapter } from './ranges.ts';
import { ShortcutHelp } from './shortcut-help.tsx';
import type { Storyboard } from './storyboard.ts';
import { type PlayedSource, useController } from './use-controller.ts';
import { useIdle } from './use-idle.ts';
import { usePageShortcuts } from './use-page-shortcuts.ts';

interface Properties extends PlayedSource {
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

/** The player: a video element, its controls, and shortcuts. */
export function Player(properties: Properties) {
  const { title, artist, poster, storyboard, chapters = NO_CHAPTERS, theatre, onLayer, onPlayer } = properties;
  const { aspect, fill = false, top, bare = false, isPreview = false } = properties;
  const { frame, video, player, state } = useController(properties);
  const [help, setHelp] = useState(false);
  useEffect(() => {
    onPlayer?.(player);
    return () => onPlayer?.(null);
  }, [player, onPlayer]);
  const { hidden, wake, hold } = useIdle(state.playing);
  useMediaSession(title, artist, poster);
  const commands = { help: () => setHelp(true), theatre: theatre?.toggle };
  usePageShortcuts(bare ? null : player, commands, wake, isPreview ? frame : null);
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
      {!bare && <PressArea player={player} wake={wake} />}
      {top && !bare && <TopBar hidden={hidden}>{top}</TopBar>}
      {player && (!bare || state.failure) && <Overlay player={player} state={state} title={title} />}
      {onLayer && <div ref={onLayer} className="contents" />}
      {player && !bare && !state.failure && (
        <BottomBar hidden={hidden}>
          <Controls
            player={player}
            state={state}
            storyboard={storyboard}
            chapters={chapters}
            theatre={theatre}
            onMenu={hold}
            onHelp={() => setHelp(true)}
          />
        </BottomBar>
      )}
      <ShortcutHelp open={help} theatre={theatre !== undefined} onClose={() => setHelp(false)} />
    </section>
  );
}

/** The video as something to press: a click plays or pauses, a touch shows the controls. */
function PressArea({ player, wake }: { player: PlayerController | null; wake: () => void }) {
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-hidden="true"
      className="absolute inset-0 cursor-[inherit]"
      // Click events are pointer events.
      onClick={(event) => ((event.nativeEvent as PointerEvent).pointerType === 'touch' ? wake() : player?.toggle())}
      onDoubleClick={() => void player?.toggleFullscreen()}
    />
  );
}

interface BarProperties {
  readonly hidden: boolean;
  readonly children: ReactNode;
}

/** What is shown at the top, over a shade. */
function TopBar({ hidden, children }: BarProperties) {
  return (
    <div
      className={
        'absolute inset-x-0 top-0 bg-linear-to-b from-black/85 to-transparent p-3 pb-10 transition-opacity ' +
        `focus-within:opacity-100 @lg:p-4 @lg:pb-12 ${hidden ? 'opacity-0' : ''}`
      }
    >
      {children}
    </div>
  );
}

/** What is shown at the bottom, over a shade that lets clicks through. */
function BottomBar({ hidden, children }: BarProperties) {
  return (
    <div
      className={
        'pointer-events-none absolute inset-x-0 bottom-0 bg-linear-to-t from-black/85 ' +
        `to-transparent pt-14 transition-opacity ${hidden ? 'opacity-0' : ''}`
      }
    >
      {children}
    </div>
  );
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
