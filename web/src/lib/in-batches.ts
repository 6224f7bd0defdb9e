/** What the API takes at once in a mutation of many things. */
const MOST = 100;

/** Asks for any number of things, 100 at a time, one request after another; all answers in the order asked. Ends at the first failure. */
export async function inBatches<Result>(
  ids: readonly string[],
  ask: (ids: readonly string[]) => Promise<readonly Result[]>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < ids.length; start += MOST) results.push(...(await ask(ids.slice(start, start + MOST))));
  return results;
}
