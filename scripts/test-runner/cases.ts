/** Whether `npm test` runs everything, and leaves what takes long to `npm run test:full`. */
export const IS_QUICK = process.env.TEST_CASES === 'few';

/**
 * The cases of a table that take long, such as sources that are encoded: all of them where the file is named, with
 * `changed` and in `npm run test:full`, the first `few` where `npm test` runs everything.
 */
export function casesOf<T>(table: readonly T[], few: number): readonly T[] {
  return IS_QUICK ? table.slice(0, few) : table;
}

/** Options of a test that takes long: it runs where its file is named, with `changed` and in `npm run test:full`. */
export const THOROUGH = { skip: IS_QUICK && 'in npm run test:full' };
