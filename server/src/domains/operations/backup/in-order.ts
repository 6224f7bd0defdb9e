/** The results of `work`, in the order of the entries; some are worked on at the same time. */
export async function* inOrder<Entry, Result>(
  entries: AsyncIterable<Entry>,
  atOnce: number,
  work: (entry: Entry) => Promise<Result>,
): AsyncIterable<Result> {
  const running: Promise<Result>[] = [];
  try {
    for await (const entry of entries) {
      const result = work(entry);
      result.catch(() => {}); // thrown when it is its turn
      running.push(result);
      if (running.length >= atOnce) yield await (running.shift() as Promise<Result>);
    }
    while (running.length > 0) yield await (running.shift() as Promise<Result>);
  } finally {
    await Promise.allSettled(running);
  }
}
