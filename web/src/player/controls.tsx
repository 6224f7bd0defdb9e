import { useState } from 'react';
import { clockTime } from '../lib/format.ts';
import { formatLocale, t } from '../lib/i18n.ts';
import { percent } from '../lib/numbers.ts';
import { Icon } from '../ui/icons.tsx';
import type { PlayerController } from './controller.ts';
import { ChoiceMenu } from './menu.tsx';
import type { PlayerState, Theatre } from './player-state.ts';
import { bitRate } from './quality.ts';
import { type Chapter, chapterAt } from './ranges.ts';
import { SeekBar } from './seek-bar.tsx';
import { RATES } from './shortcuts.ts';
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

const rates = new Intl.NumberFormat(formatLocale);

/** `1.5×`. */
const rateText = (rate: number): string => `${rates.format(rate)}×`;

type MenuName = 'audio' | 'captions' | 'speed' | 'quality';

/** The control bar: seek bar above, buttons below. */
export function Controls({ player, state, storyboard, chapters, theatre, onMenu, onHelp }: Properties) {
  const [menu, setMenu] = useState<MenuName | null>(null);
  const opener = (name: MenuName) => (open: boolean) => {
    setMenu((current) => (open ? name : current === name ? null : current));
    onMenu(open);
  };
  return (
    <div className="pointer-events-auto px-3 pb-1.5 @lg:px-4 @lg:pb-2.5">
      <SeekBar state={state} storyboard={storyboard} chapters={chapters} onSeek={(seconds) => player.seek(seconds)} />
      <div className="flex items-center gap-0.5 @lg:gap-1">
        <PlayButton player={player} state={state} />
        <Volume player={player} state={state} />
        <span className="px-1 text-[0.8rem] font-medium whitespace-nowrap tabular-nums @lg:text-sm">
          {clockTime(state.time)}
          <span className="text-white/75"> / {clockTime(state.duration)}</span>
        </span>
        <span aria-hidden="true" className="min-w-0 grow">
          <span dir="auto" className="hidden truncate px-1 text-sm text-white/85 @xl:block">
            {chapterAt(chapters, state.time)?.title}
          </span>
        </span>
        {state.audioTracks.length > 1 && (
          <ChoiceMenu
            name={t`Audio`}
            face={<Icon name="audio" className="size-5" />}
            choices={state.audioTracks.map(({ id, label }) => ({ value: id, label }))}
            chosen={state.activeAudioTrack}
            open={menu === 'audio'}
            onOpen={opener('audio')}
            onChoose={(id) => id !== null && player.setAudioTrack(id)}
          />
        )}
        {state.captions.length > 0 && (
          <ChoiceMenu
            name={t`Captions`}
            face={
              <Icon name="captions" className={`size-5 ${state.activeCaption === null ? '' : 'text-accent-player'}`} />
            }
            choices={[
              { value: null, label: t`Off` },
              ...state.captions.map(({ index, label }) => ({ value: index, label })),
            ]}
            chosen={state.activeCaption}
            open={menu === 'captions'}
            onOpen={opener('captions')}
            onChoose={(index) => player.setCaption(index)}
          />
        )}
        <ChoiceMenu
          name={t`Speed`}
          face={<span className="min-w-8 text-sm font-semibold tabular-nums">{rateText(state.rate)}</span>}
          value={rateText(state.rate)}
          choices={RATES.map((rate) => ({ value: rate as number, label: rate === 1 ? t`Normal` : rateText(rate) }))}
          chosen={state.rate}
          open={menu === 'speed'}
          onOpen={opener('speed')}
          onChoose={(rate) => player.setRate(rate)}
        />
        <Quality player={player} state={state} open={menu === 'quality'} onOpen={opener('quality')} />
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

interface ButtonProperties {
  readonly name: string;
  readonly icon: Parameters<typeof Icon>[0]['name'];
  readonly onPress: () => void;
  readonly className?: string;
}

function PlayerButton({ name, icon, onPress, className = '' }: ButtonProperties) {
  return (
    <button type="button" className={`player-button ${className}`} aria-label={name} title={name} onClick={onPress}>
      <Icon name={icon} className="size-5" />
    </button>
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

interface QualityProperties {
  readonly player: PlayerController;
  readonly state: PlayerState;
  readonly open: boolean;
  readonly onOpen: (open: boolean) => void;
}

function Quality({ player, state, open, onOpen }: QualityProperties) {
  if (state.levels.length === 0) return null;
  const active = state.levels.find(({ id }) => id === state.activeLevel);
  const chosen = state.levels.find(({ id }) => id === state.chosenLevel);
  return (
    <ChoiceMenu
      name={t`Quality`}
      face={
        <span className="min-w-10 text-sm font-semibold">
          {chosen ? chosen.label : <span className={active ? 'hidden @lg:inline' : ''}>{`${t`Auto`} `}</span>}
          {!chosen && active?.label}
        </span>
      }
      value={chosen?.label ?? [t`Auto`, active?.label].filter(Boolean).join(' ')}
      choices={[
        { value: null, label: t`Auto`, ...(active && !chosen ? { note: active.label } : {}) },
        ...state.levels.map(({ id, label, bitrateBps }) => ({ value: id, label, note: bitRate(bitrateBps) })),
      ]}
      chosen={state.chosenLevel}
      open={open}
      onOpen={onOpen}
      onChoose={(id) => player.setLevel(id)}
    />
  );
}
