import { t, tc } from '../lib/i18n.ts';

/** Keyboard shortcuts of the player: one table for the help dialog and the handler. Pure. */
export type Command =
  | { readonly do: 'toggle' | 'mute' | 'captions' | 'fullscreen' | 'pip' | 'theatre' | 'help' }
  | { readonly do: 'seekBy' | 'volumeBy' | 'rateStep' | 'frame'; readonly by: number }
  | { readonly do: 'seekTo'; readonly fraction: number };

export interface Shortcut {
  readonly keys: readonly string[];
  readonly shown: string;
  readonly label: string;
  readonly command: Command;
}

export const SHORTCUTS: readonly Shortcut[] = [
  { keys: [' ', 'k', 'K', 'MediaPlayPause'], shown: t`Space or K`, label: t`Play or pause`, command: { do: 'toggle' } },
  { keys: ['ArrowLeft'], shown: '←', label: t`Back 5 seconds`, command: { do: 'seekBy', by: -5 } },
  { keys: ['ArrowRight'], shown: '→', label: t`Forward 5 seconds`, command: { do: 'seekBy', by: 5 } },
  { keys: ['j', 'J'], shown: 'J', label: t`Back 10 seconds`, command: { do: 'seekBy', by: -10 } },
  { keys: ['l', 'L'], shown: 'L', label: t`Forward 10 seconds`, command: { do: 'seekBy', by: 10 } },
  { keys: ['ArrowUp'], shown: '↑', label: t`Volume up`, command: { do: 'volumeBy', by: 0.05 } },
  { keys: ['ArrowDown'], shown: '↓', label: t`Volume down`, command: { do: 'volumeBy', by: -0.05 } },
  { keys: ['m', 'M'], shown: 'M', label: t`Mute or unmute`, command: { do: 'mute' } },
  { keys: ['f', 'F'], shown: 'F', label: t`Full screen`, command: { do: 'fullscreen' } },
  { keys: ['t', 'T'], shown: 'T', label: t`Theatre mode`, command: { do: 'theatre' } },
  { keys: ['c', 'C'], shown: 'C', label: t`Captions on or off`, command: { do: 'captions' } },
  { keys: ['i', 'I'], shown: 'I', label: t`Picture-in-picture`, command: { do: 'pip' } },
  { keys: ['<'], shown: '<', label: t`Decrease speed`, command: { do: 'rateStep', by: -1 } },
  { keys: ['>'], shown: '>', label: t`Increase speed`, command: { do: 'rateStep', by: 1 } },
  { keys: [','], shown: ',', label: t`Previous frame while paused`, command: { do: 'frame', by: -1 } },
  { keys: ['.'], shown: '.', label: t`Next frame while paused`, command: { do: 'frame', by: 1 } },
  { keys: ['Home'], shown: tc('key', 'Home'), label: t`Go to start`, command: { do: 'seekTo', fraction: 0 } },
  { keys: ['End'], shown: tc('key', 'End'), label: t`Go to end`, command: { do: 'seekTo', fraction: 1 } },
  { keys: ['?'], shown: '?', label: t`Keyboard shortcuts`, command: { do: 'help' } },
];

/** Digits seek to tenths of the video. */
export const DIGITS_SHORTCUT = { shown: '0–9', label: t`Go to 0–90% of the video` } as const;

const BY_KEY: ReadonlyMap<string, Command> = new Map(
  SHORTCUTS.flatMap(({ keys, command }) => keys.map((key) => [key, command] as const)),
);

export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

/** The command of a key press; null for keys that the player ignores. */
export function commandFor(press: KeyPress): Command | null {
  if (press.ctrlKey || press.metaKey || press.altKey) return null;
  if (/^[0-9]$/.test(press.key)) return { do: 'seekTo', fraction: Number(press.key) / 10 };
  return BY_KEY.get(press.key) ?? null;
}

export const RATES = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2] as const;

/** The next rate up or down the list, staying at its ends. */
export function steppedRate(rate: number, by: number): number {
  const at = RATES.findIndex((each) => each >= rate - 0.001);
  const index = Math.min(RATES.length - 1, Math.max(0, (at < 0 ? RATES.length - 1 : at) + by));
  return RATES[index] ?? 1;
}
