/** Player preferences, stored in this browser. */
export interface Preferences {
  readonly volume: number;
  readonly muted: boolean;
  readonly rate: number;
  /** Lines of the selected quality; null for automatic. */
  readonly lines: number | null;
  /** Language of the selected audio, or its label if it has none; null for the default. */
  readonly audio: string | null;
  /** Language of the selected captions, or their label if they have none; null for off. */
  readonly captions: string | null;
  /** Whether the next video plays automatically: of the season or playlist, otherwise the first related one. */
  readonly autoplay: boolean;
  /** Whether the watch page shows the player across its whole width. */
  readonly theatre: boolean;
}

const KEY = 'reelgraph.player';
const DEFAULTS: Preferences = {
  volume: 1,
  muted: false,
  rate: 1,
  lines: null,
  audio: null,
  captions: null,
  autoplay: true,
  theatre: false,
};

export function readPreferences(): Preferences {
  try {
    return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(KEY) ?? '{}') };
  } catch {
    return DEFAULTS; // storage is blocked, or its content is invalid
  }
}

export function savePreferences(change: Partial<Preferences>): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...readPreferences(), ...change }));
  } catch {
    // storage is full or blocked: the preference lasts for this page only
  }
}
