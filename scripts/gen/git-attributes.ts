/**
 * Files that a program writes, but not `npm run gen`: npm and the scripts record-examples, release-schema and
 * snapshot-database.
 */
const RECORDED = ['package-lock.json', 'docs/examples/**', 'docs/versions/*.graphql', 'server/migrations/releases/**'];

/** Git attributes that collapse generated files in reviews and leave them out of language statistics. */
export function gitAttributes(generated: readonly string[]): string {
  const lines = [...generated, ...RECORDED].sort().map((path) => `${path} linguist-generated`);
  return ['# Written by `npm run gen`: the files that programs write.', ...lines, ''].join('\n');
}
