import { setTimeout as sleep } from 'node:timers/promises';
import { IS_QUICK } from '../../../scripts/test-runner/cases.ts';

/** Longer than anything takes, also beside other tests on a slow machine. */
const LIMIT_MS = IS_QUICK ? 60_000 : 300_000;
const LOOK_MS = 20;

/**
 * Polls until the condition holds; returns the elapsed milliseconds. Tests wait for conditions, never for time.
 * @throws Error with `complaint` when it never does; an error of the condition ends it immediately.
 */
export async function until(
  condition: () => boolean | Promise<boolean>,
  complaint: string | (() => string) = 'what the test waits for never came',
  limitMs: number = LIMIT_MS,
): Promise<number> {
  const startedAt = performance.now();
  while (!(await condition())) {
    if (performance.now() - startedAt > limitMs)
      throw new Error(typeof complaint === 'string' ? complaint : complaint());
    await sleep(LOOK_MS);
  }
  return performance.now() - startedAt;
}
