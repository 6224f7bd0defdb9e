/** What a key does in the feed; null for others. */
export type FeedCommand = 'next' | 'previous' | 'first' | 'toggle' | 'mute';

const KEYS: Readonly<Record<string, FeedCommand>> = {
  ArrowDown: 'next',
  PageDown: 'next',
  j: 'next',
  ArrowUp: 'previous',
  PageUp: 'previous',
  k: 'previous',
  Home: 'first',
  ' ': 'toggle',
  m: 'mute',
};

export const feedCommand = (key: string): FeedCommand | null => KEYS[key] ?? null;

/** The place after a command, among so many shorts. */
export function placeAfter(command: FeedCommand, place: number, count: number): number {
  const to = { next: place + 1, previous: place - 1, first: 0, toggle: place, mute: place }[command];
  return Math.min(Math.max(0, to), Math.max(0, count - 1));
}

/** Which shorts have a player: the shown one, and the next, which is loaded meanwhile. */
export const hasPlayer = (place: number, shown: number): boolean => place === shown || place === shown + 1;
