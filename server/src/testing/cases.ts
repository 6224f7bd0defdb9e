/**
 * The cases of a table that take long, such as sources that are encoded: all of them where the file is named and in
 * `npm run test:full`, the first `few` where `npm test` runs everything.
 */
export function casesOf<T>(table: readonly T[], few: number): readonly T[] {
  return process.env.TEST_CASES === 'few' ? table.slice(0, few) : table;
}
