/**
 * The journeys through each part of the web application, and those that show a part of the server in a browser; imports
 * do not lead to them. Files without a row are covered by `npm test` only. `changed` runs these also where `npm test`
 * leaves them to `npm run test:full`.
 */
export const JOURNEYS: readonly (readonly [folder: string, ...journeys: string[]])[] = [
  [
    'web/src/player/',
    'viewers/watching.full',
    'player/player.full',
    'player/player-tracks.full',
    'player/source-quality.full',
    'player/codecs.full',
    'player/cold.full',
  ],
  ['web/src/features/account/', 'accounts/accounts.full'],
  ['web/src/features/admin/', 'accounts/accounts.full'],
  ['web/src/features/analytics/', 'studio/numbers.full'],
  ['web/src/features/browse/', 'viewers/viewers.full'],
  ['web/src/features/comments/', 'viewers/watching.full'],
  ['web/src/features/connect/', 'accounts/connect.full'],
  ['web/src/features/developer/', 'accounts/connect.full'],
  ['web/src/features/embed/', 'viewers/watching.full', 'player/embedding.full'],
  ['web/src/features/events/', 'studio/studio-dashboard.full'],
  ['web/src/features/explorer/', 'accounts/explorer.full'],
  ['web/src/features/library/', 'viewers/viewers.full'],
  ['web/src/features/language/', 'viewers/languages.full'],
  ['web/src/features/notifications/', 'studio/saving.full'],
  ['web/src/features/operator/', 'accounts/accounts.full'],
  ['web/src/features/playlist/', 'viewers/viewers.full', 'studio/saving.full'],
  ['web/src/features/search/', 'viewers/viewers.full'],
  ['web/src/features/security/', 'accounts/sign-in.full'],
  ['web/src/features/social/', 'viewers/viewers.full'],
  ['web/src/features/studio/', 'studio/studio.full'],
  ['web/src/features/uploads/', 'studio/publishing', 'studio/uploads.full'],
  ['web/src/features/watch/', 'viewers/watching.full', 'viewers/watch-page.full'],
  ['web/src/features/webhooks/', 'studio/studio-dashboard.full'],
  ['web/src/features/youtube/', 'studio/youtube.full'],
  ['web/src/lib/', 'viewers/viewers.full'],
  ['web/src/routes/admin/', 'accounts/accounts.full'],
  ['web/src/routes/developer/', 'accounts/connect.full'],
  ['web/src/routes/settings/', 'accounts/accounts.full', 'accounts/sign-in.full'],
  ['web/src/routes/studio/', 'studio/studio.full'],
  ['web/src/routes/viewer/', 'viewers/viewers.full'],
  ['web/src/ui/', 'viewers/viewers.full'],
  ['clients/player/', 'player/embedding.full'],
  ['docs/guides/', 'server/guides.full'],
  ['server/src/domains/enhance/codecs/', 'player/codecs.full'],
  ['server/src/domains/transcode/cold/', 'player/cold.full'],
];

/** The journeys through the part that a file belongs to, as paths of test files. */
export function journeysThrough(file: string): string[] {
  return JOURNEYS.filter(([folder]) => file.startsWith(folder)).flatMap(([, ...journeys]) =>
    journeys.map((name) => `e2e/${name}.test.ts`),
  );
}
