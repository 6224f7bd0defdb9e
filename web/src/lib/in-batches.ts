/** Maximum number of ids in a batch mutation. */
const MOST = 100;

/**
 * Sends ids in batches of 100, one request after another, and returns all results in order. Stops at the first failed
 * request.
 */
export async function inBatches<Result>(
  ids: readonly string[],
  send: (ids: readonly string[]) => Promise<readonly Result[]>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < ids.length; start += MOST) results.push(...(await send(ids.slice(start, start + MOST))));
  return results;
}
