/** Where viewers find a content, with descriptions. */
export const TRAFFIC_SOURCES = {
  HOME: 'The home page.',
  SEARCH: 'Search on this platform.',
  SUGGESTED: 'Another watch page: suggestions, and what plays next.',
  CHANNEL: "A channel's page.",
  PLAYLIST: 'A playlist, or the page of a series.',
  FOLLOWING: 'The list of new videos of followed channels.',
  TRENDING: 'Trending.',
  SHORTS: 'The feed of shorts.',
  OTHER: 'Another page of this platform, such as the history or notifications.',
  EMBED: 'A player on another site.',
  EXTERNAL: 'A link on another site.',
  DIRECT: 'The address was entered or opened from a bookmark or an app, or the player did not report a source.',
} as const satisfies Record<string, string>;

export type TrafficSource = keyof typeof TRAFFIC_SOURCES;

/** What is counted where a player does not report a source. */
export const UNREPORTED: TrafficSource = 'DIRECT';

export function isTrafficSource(value: unknown): value is TrafficSource {
  return typeof value === 'string' && Object.hasOwn(TRAFFIC_SOURCES, value);
}
