/**
 * The journeys through each part of the web application, and those that show a part of the server in a browser; imports
 * do not lead to them. Files without a row are covered by `npm test` only. `changed` runs these also where `npm test`
 * leaves them to `npm run test:full`.
 */
export const JOURNEYS: readonly (readonly [folder: string, ...journeys: string[]])[] = [
  [
    'web/src/player/',
    'watching.full',
    'player.full',
    'player-tracks.full',
    'source-quality.full',
    'codecs.full',
    'cold.full',
  ],
  ['web/src/features/account/', 'accounts.full'],
  ['web/src/features/admin/', 'accounts.full'],
  ['web/src/features/analytics/', 'numbers.full'],
  ['web/src/features/browse/', 'viewers.full'],
  ['web/src/features/comments/', 'watching.full'],
  ['web/src/features/connect/', 'connect.full'],
  ['web/src/features/developer/', 'connect.full'],
  ['web/src/features/embed/', 'watching.full', 'embedding.full'],
  ['web/src/features/events/', 'studio-dashboard.full'],
  ['web/src/features/explorer/', 'explorer.full'],
  ['web/src/features/library/', 'viewers.full'],
  ['web/src/features/language/', 'languages.full'],
  ['web/src/features/notifications/', 'saving.full'],
  ['web/src/features/operator/', 'accounts.full'],
  ['web/src/features/playlist/', 'viewers.full', 'saving.full'],
  ['web/src/features/search/', 'viewers.full'],
  ['web/src/features/security/', 'sign-in.full'],
  ['web/src/features/social/', 'viewers.full'],
  ['web/src/features/studio/', 'studio.full'],
  ['web/src/features/uploads/', 'publishing', 'uploads.full'],
  ['web/src/features/watch/', 'watching.full', 'watch-page.full'],
  ['web/src/features/webhooks/', 'studio-dashboard.full'],
  ['web/src/features/youtube/', 'youtube.full'],
  ['web/src/lib/', 'viewers.full'],
  ['web/src/routes/admin/', 'accounts.full'],
  ['web/src/routes/developer/', 'connect.full'],
  ['web/src/routes/settings/', 'accounts.full', 'sign-in.full'],
  ['web/src/routes/studio/', 'studio.full'],
  ['web/src/routes/viewer/', 'viewers.full'],
  ['web/src/ui/', 'viewers.full'],
  ['player/', 'embedding.full'],
  ['docs/guides/', 'guides.full'],
  ['server/src/domains/enhance/codecs/', 'codecs.full'],
  ['server/src/domains/transcode/cold/', 'cold.full'],
];

/** The journeys through the part that a file belongs to, as paths of test files. */
export function journeysThrough(file: string): string[] {
  return JOURNEYS.filter(([folder]) => file.startsWith(folder)).flatMap(([, ...journeys]) =>
    journeys.map((name) => `e2e/${name}.test.ts`),
  );
}
