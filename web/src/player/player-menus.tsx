import { useState } from 'react';
import { formatLocale, t } from '../lib/i18n.ts';
import { Icon } from '../ui/icons.tsx';
import type { PlayerController } from './controller.ts';
import { ChoiceMenu } from './menu.tsx';
import type { PlayerState } from './player-state.ts';
import { bitRate } from './quality.ts';
import { RATES } from './shortcuts.ts';

const rates = new Intl.NumberFormat(formatLocale);

/** `1.5×`. */
const rateText = (rate: number): string => `${rates.format(rate)}×`;

type MenuName = 'audio' | 'captions' | 'speed' | 'quality';

interface Properties {
  readonly player: PlayerController;
  readonly state: PlayerState;
  readonly onMenu: (open: boolean) => void;
}

/** The menus of the control bar, of which one is open at a time. */
export function PlayerMenus({ player, state, onMenu }: Properties) {
  const [menu, setMenu] = useState<MenuName | null>(null);
  const of = (name: MenuName): MenuProperties => ({
    ...{ player, state },
    open: menu === name,
    onOpen: (open) => {
      setMenu((current) => (open ? name : current === name ? null : current));
      onMenu(open);
    },
  });
  return (
    <>
      {state.audioTracks.length > 1 && <Audio {...of('audio')} />}
      {state.captions.length > 0 && <Captions {...of('captions')} />}
      <Speed {...of('speed')} />
      <Quality {...of('quality')} />
    </>
  );
}

interface MenuProperties {
  readonly player: PlayerController;
  readonly state: PlayerState;
  readonly open: boolean;
  readonly onOpen: (open: boolean) => void;
}

function Audio({ player, state, open, onOpen }: MenuProperties) {
  return (
    <ChoiceMenu
      name={t`Audio`}
      face={<Icon name="audio" className="size-5" />}
      choices={state.audioTracks.map(({ id, label }) => ({ value: id, label }))}
      chosen={state.activeAudioTrack}
      open={open}
      onOpen={onOpen}
      onChoose={(id) => id !== null && player.setAudioTrack(id)}
    />
  );
}

function Captions({ player, state, open, onOpen }: MenuProperties) {
  return (
    <ChoiceMenu
      name={t`Captions`}
      face={<Icon name="captions" className={`size-5 ${state.activeCaption === null ? '' : 'text-accent-player'}`} />}
      choices={[{ value: null, label: t`Off` }, ...state.captions.map(({ index, label }) => ({ value: index, label }))]}
      chosen={state.activeCaption}
      open={open}
      onOpen={onOpen}
      onChoose={(index) => player.setCaption(index)}
    />
  );
}

function Speed({ player, state, open, onOpen }: MenuProperties) {
  return (
    <ChoiceMenu
      name={t`Speed`}
      face={<span className="min-w-8 text-sm font-semibold tabular-nums">{rateText(state.rate)}</span>}
      value={rateText(state.rate)}
      choices={RATES.map((rate) => ({ value: rate as number, label: rate === 1 ? t`Normal` : rateText(rate) }))}
      chosen={state.rate}
      open={open}
      onOpen={onOpen}
      onChoose={(rate) => player.setRate(rate)}
    />
  );
}

function Quality({ player, state, open, onOpen }: MenuProperties) {
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
