import type { Platform } from '../../../platform/platform.ts';
import { type Repeated, repeat } from '../../../platform/repeat.ts';
import { endTest, lockRunningTest, testedContents, variantAt } from './content-tests.store.ts';
import { decideTest } from './decide-test.ts';
import { presentVariant } from './finish-test.ts';

const EVERY_MS = 900_000;

type Needs = Pick<Platform, 'db' | 'clock' | 'jobs'>;

/** Decides about every running test, and applies winners where this was requested. Any number of workers may run it. */
export async function evaluateTests(needs: Needs): Promise<void> {
  for (const contentId of await testedContents(needs.db)) await evaluateTest(needs, contentId);
}

async function evaluateTest(needs: Needs, contentId: string): Promise<void> {
  await needs.db.transaction(async (tx) => {
    const test = await lockRunningTest(tx, contentId);
    const end = test && decideTest(test, needs.clock.now());
    if (!test || !end) return;
    // The original is what the content has already.
    const applied = test.applyWinner && end.winner !== null && end.winner > 0;
    await endTest(tx, test, end, { nowMs: needs.clock.now(), applied });
    if (!applied || end.winner === null) return;
    const winner = await variantAt(tx, test.id, end.winner);
    await presentVariant(needs, tx, { id: contentId, channelId: test.channelId }, winner);
  });
}

/** Evaluates running tests every 15 minutes. */
export function testsSchedule(needs: Needs & Pick<Platform, 'log'>): Repeated {
  return repeat(needs.log, 'tests of contents could not be evaluated, will be retried', EVERY_MS, async () => {
    await evaluateTests(needs);
    return false;
  });
}
