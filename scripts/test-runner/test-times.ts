import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Times of earlier runs on this machine; used only for the order of files. */
const FILE = 'node_modules/.cache/reelgraph/test-times.json';

/** How long files took when they ran last, in milliseconds, by their path. Empty where nothing ran yet. */
export async function knownTimes(): Promise<Map<string, number>> {
  try {
    // Written by keepTimes.
    return new Map(Object.entries(JSON.parse(await readFile(FILE, 'utf8')) as Record<string, number>));
  } catch {
    return new Map();
  }
}

export async function keepTimes(took: ReadonlyMap<string, number>): Promise<void> {
  const times = new Map([...(await knownTimes()), ...took]);
  await mkdir(dirname(FILE), { recursive: true });
  await writeFile(FILE, JSON.stringify(Object.fromEntries([...times].sort()), null, 1));
}
