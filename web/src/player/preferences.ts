/** What the player remembers between videos, in this browser only. */
export interface Preferences {
  readonly volume: number;
  readonly muted: boolean;
  readonly rate: number;
  /** Lines of the chosen quality; null for automatic. */
  readonly lines: number | null;
  /** Language of the chosen captions, their name where they have none; null for none. */
  readonly captions: string | null;
  /** Whether the next video of a season or playlist follows by itself. */
  readonly autoplay: boolean;
}

const KEY = 'reelgraph.player';
const DEFAULTS: Preferences = { volume: 1, muted: false, rate: 1, lines: null, captions: null, autoplay: true };

export function readPreferences(): Preferences {
  try {
    return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(KEY) ?? '{}') };
  } catch {
    return DEFAULTS; // storage is closed to this page, or holds something else
  }
}

export function savePreferences(change: Partial<Preferences>): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...readPreferences(), ...change }));
  } catch {
    // storage is full or closed: the choice holds for this page
  }
}
