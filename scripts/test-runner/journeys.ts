/**
 * The journeys through each part of the web application, and those that show a part of the server in a browser; imports
 * do not lead to them. Files without a row are covered by `npm test` only. `changed` runs these also where `npm test`
 * leaves them to `npm run test:full`.
 */
export const JOURNEYS: readonly (readonly [folder: string, ...journeys: string[]])[] = [
  ['web/src/player/', 'watching', 'player', 'player-tracks.full', 'source-quality.full', 'codecs.full', 'cold.full'],
  ['web/src/features/account/', 'accounts'],
  ['web/src/features/admin/', 'accounts'],
  ['web/src/features/analytics/', 'numbers.full'],
  ['web/src/features/browse/', 'viewers'],
  ['web/src/features/comments/', 'watching'],
  ['web/src/features/connect/', 'connect.full'],
  ['web/src/features/developer/', 'connect.full'],
  ['web/src/features/embed/', 'watching', 'embedding.full'],
  ['web/src/features/events/', 'studio-dashboard.full'],
  ['web/src/features/explorer/', 'explorer.full'],
  ['web/src/features/library/', 'viewers'],
  ['web/src/features/notifications/', 'saving'],
  ['web/src/features/operator/', 'accounts'],
  ['web/src/features/playlist/', 'viewers', 'saving'],
  ['web/src/features/search/', 'viewers'],
  ['web/src/features/security/', 'accounts'],
  ['web/src/features/social/', 'viewers'],
  ['web/src/features/studio/', 'studio'],
  ['web/src/features/uploads/', 'publishing'],
  ['web/src/features/watch/', 'watching', 'watch-page'],
  ['web/src/features/webhooks/', 'studio-dashboard.full'],
  ['web/src/features/youtube/', 'youtube.full'],
  ['web/src/lib/', 'viewers'],
  ['web/src/routes/admin/', 'accounts'],
  ['web/src/routes/developer/', 'connect.full'],
  ['web/src/routes/settings/', 'accounts'],
  ['web/src/routes/studio/', 'studio'],
  ['web/src/routes/viewer/', 'viewers'],
  ['web/src/ui/', 'viewers'],
  ['player/', 'embedding.full'],
  ['docs/guides/', 'guides.full'],
  ['server/src/domains/assets/codecs/', 'codecs.full'],
  ['server/src/domains/assets/cold/', 'cold.full'],
];

/** The journeys through the part that a file belongs to, as paths of test files. */
export function journeysThrough(file: string): string[] {
  return JOURNEYS.filter(([folder]) => file.startsWith(folder)).flatMap(([, ...journeys]) =>
    journeys.map((name) => `e2e/${name}.test.ts`),
  );
}
