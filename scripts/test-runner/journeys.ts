/**
 * The journeys through each part of the web application, which imports do not show because of the browser. Files
 * without a row are covered by `npm test` only.
 */
export const JOURNEYS: readonly (readonly [folder: string, ...journeys: string[]])[] = [
  ['web/src/player/', 'watching', 'player'],
  ['web/src/features/account/', 'accounts'],
  ['web/src/features/analytics/', 'numbers'],
  ['web/src/features/browse/', 'viewers'],
  ['web/src/features/comments/', 'watching'],
  ['web/src/features/connect/', 'connect'],
  ['web/src/features/developer/', 'connect'],
  ['web/src/features/embed/', 'watching'],
  ['web/src/features/events/', 'studio-dashboard'],
  ['web/src/features/explorer/', 'explorer'],
  ['web/src/features/library/', 'viewers'],
  ['web/src/features/playlist/', 'viewers'],
  ['web/src/features/search/', 'viewers'],
  ['web/src/features/social/', 'viewers'],
  ['web/src/features/studio/', 'studio'],
  ['web/src/features/watch/', 'watching'],
  ['web/src/features/webhooks/', 'studio-dashboard'],
  ['web/src/features/youtube/', 'youtube'],
  ['web/src/lib/', 'viewers'],
  ['web/src/routes/developer/', 'connect'],
  ['web/src/routes/settings/', 'accounts'],
  ['web/src/routes/studio/', 'studio'],
  ['web/src/routes/viewer/', 'viewers'],
  ['web/src/ui/', 'viewers'],
  ['docs/guides/', 'guides'],
];

/** The journeys through the part that a file belongs to, as paths of test files. */
export function journeysThrough(file: string): string[] {
  return JOURNEYS.filter(([folder]) => file.startsWith(folder)).flatMap(([, ...journeys]) =>
    journeys.map((name) => `e2e/${name}.test.ts`),
  );
}
