import { clockTime } from '../lib/format.ts';
import { t } from '../lib/i18n.ts';
import { percent } from '../lib/numbers.ts';
import type { PlayerController } from './controller.ts';
import { LiveButton } from './live/live-button.tsx';
import { PlayerButton } from './player-button.tsx';
import { PlayerMenus } from './player-menus.tsx';
import type { PlayerState, Theatre } from './player-state.ts';
import { type Chapter, chapterAt } from './ranges.ts';
import { SeekBar } from './seek-bar.tsx';
import type { Storyboard } from './storyboard.ts';

interface Properties {
  readonly player: PlayerController;
  readonly state: PlayerState;
  readonly storyboard: Storyboard | null;
  readonly chapters: readonly Chapter[];
  readonly theatre: Theatre | undefined;
  readonly onMenu: (open: boolean) => void;
  readonly onHelp: () => void;
}

/** The control bar: seek bar above, buttons below. */
export function Controls({ player, state, storyboard, chapters, theatre, onMenu, onHelp }: Properties) {
  return (
    <div className="pointer-events-auto px-3 pb-1.5 @lg:px-4 @lg:pb-2.5">
      <SeekBar state={state} storyboard={storyboard} chapters={chapters} onSeek={(seconds) => player.seek(seconds)} />
      <div className="flex items-center gap-0.5 @lg:gap-1">
        <PlayButton player={player} state={state} />
        <Volume player={player} state={state} />
        {state.live ? (
          <LiveButton edge={state.live} time={state.time} onPress={() => player.toLive()} />
        ) : (
          <span className="px-1 text-[0.8rem] font-medium whitespace-nowrap tabular-nums @lg:text-sm">
            {clockTime(state.time)}
            <span className="text-white/75"> / {clockTime(state.duration)}</span>
          </span>
        )}
        <span aria-hidden="true" className="min-w-0 grow">
          <span dir="auto" className="hidden truncate px-1 text-sm text-white/85 @xl:block">
            {chapterAt(chapters, state.time)?.title}
          </span>
        </span>
        <PlayerMenus player={player} state={state} onMenu={onMenu} />
        <PlayerButton name={t`Keyboard shortcuts (?)`} icon="help" onPress={onHelp} className="hidden @xl:grid" />
        {document.pictureInPictureEnabled && (
          <PlayerButton
            name={state.pip ? t`Exit picture-in-picture (i)` : t`Picture-in-picture (i)`}
            icon="pip"
            onPress={() => void player.togglePip()}
            className="hidden @md:grid"
          />
        )}
        {theatre && !state.fullscreen && (
          <PlayerButton
            name={theatre.on ? t`Default view (t)` : t`Theatre mode (t)`}
            icon="theatre"
            onPress={theatre.toggle}
            className="hidden lg:grid"
          />
        )}
        <PlayerButton
          name={state.fullscreen ? t`Exit full screen (f)` : t`Full screen (f)`}
          icon={state.fullscreen ? 'fullscreenExit' : 'fullscreen'}
          onPress={() => void player.toggleFullscreen()}
        />
      </div>
    </div>
  );
}

function PlayButton({ player, state }: { player: PlayerController; state: PlayerState }) {
  const name = state.ended ? t`Replay (k)` : state.playing ? t`Pause (k)` : t`Play (k)`;
  return (
    <PlayerButton
      name={name}
      icon={state.ended ? 'replay' : state.playing ? 'pause' : 'play'}
      onPress={() => player.toggle()}
    />
  );
}

function Volume({ player, state }: { player: PlayerController; state: PlayerState }) {
  const level = state.muted ? 0 : state.volume;
  const icon = level === 0 ? 'muted' : level < 0.5 ? 'volumeLow' : 'volume';
  return (
    <div className="group/volume flex items-center">
      <PlayerButton name={level === 0 ? t`Unmute (m)` : t`Mute (m)`} icon={icon} onPress={() => player.toggleMute()} />
      <input
        type="range"
        aria-label={t`Volume`}
        aria-valuetext={percent(level)}
        min={0}
        max={1}
        step={0.05}
        value={level}
        onChange={(event) => player.setLoudness(event.currentTarget.valueAsNumber)}
        onKeyDown={(event) => event.key.startsWith('Arrow') && event.stopPropagation()}
        className={
          'player-volume hidden w-0 opacity-0 transition-[width,opacity] group-hover/volume:w-20 ' +
          'group-hover/volume:opacity-100 focus-visible:w-20 focus-visible:opacity-100 @md:block'
        }
      />
    </div>
  );
}
