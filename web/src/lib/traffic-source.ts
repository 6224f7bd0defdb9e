/** Where a viewer came from: TrafficSource of the API. */
export type TrafficSource =
  | 'HOME'
  | 'SEARCH'
  | 'SUGGESTED'
  | 'CHANNEL'
  | 'PLAYLIST'
  | 'FOLLOWING'
  | 'TRENDING'
  | 'SHORTS'
  | 'OTHER'
  | 'EMBED'
  | 'EXTERNAL'
  | 'DIRECT';

/** The pages from which videos are opened, by the beginning of their path. */
const PAGES: readonly (readonly [RegExp, TrafficSource])[] = [
  [/^\/$/, 'HOME'],
  [/^\/search/, 'SEARCH'],
  [/^\/(?:w|watch)\//, 'SUGGESTED'],
  [/^\/(?:@|channel\/)/, 'CHANNEL'],
  [/^\/(?:playlist|series|watch-later)(?:\/|$)/, 'PLAYLIST'],
  [/^\/feed/, 'FOLLOWING'],
  [/^\/trending/, 'TRENDING'],
  [/^\/shorts/, 'SHORTS'],
];

interface Arrival {
  /** The page of the player. */
  readonly path: string;
  /** Whether a playlist is played. */
  readonly inPlaylist: boolean;
  /** The page of this application before it; null if the player's is the first one. */
  readonly previous: string | null;
  /** `document.referrer`. */
  readonly referrer: string;
  readonly origin: string;
}

/** Where the viewer of a page with a player came from. */
export function trafficSource({ path, inPlaylist, previous, referrer, origin }: Arrival): TrafficSource {
  if (path.startsWith('/embed/')) return 'EMBED';
  if (path.startsWith('/shorts')) return 'SHORTS';
  if (inPlaylist) return 'PLAYLIST';
  const from = previous ?? pathOf(referrer, origin);
  if (from !== null) return PAGES.find(([page]) => page.test(from))?.[1] ?? 'OTHER';
  return referrer === '' ? 'DIRECT' : 'EXTERNAL';
}

/** The path of an address of this site; null for others. */
function pathOf(address: string, origin: string): string | null {
  return address === origin || address.startsWith(`${origin}/`) ? new URL(address).pathname : null;
}

let previous: string | null = null;

/** Remembers the page that is left for another one. */
export function leavePage(path: string): void {
  previous = path;
}

/** Where the viewer of the current page came from. */
export function currentTrafficSource(): TrafficSource {
  const { pathname: path, search, origin } = window.location;
  const inPlaylist = new URLSearchParams(search).has('list');
  return trafficSource({ path, inPlaylist, previous, referrer: document.referrer, origin });
}
