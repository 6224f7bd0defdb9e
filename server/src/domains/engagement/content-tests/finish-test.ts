import type { ViewerScope } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import { authorize } from '../../../kernel/policy.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { CONTENT_CHANGE, type ContentTarget, lockContent, setPresentation } from '../../catalog/index.ts';
import type { EngagementServices } from '../services.ts';
import type { TestEnd } from './content-test.ts';
import {
  endTest,
  type FoundVariant,
  findVariant,
  lockRunningTest,
  readShownContent,
  recordApplied,
} from './content-tests.store.ts';

const STOPPED: TestEnd = { state: 'STOPPED', reason: 'STOPPED_BY_MEMBER', winner: null };

type Tools = Pick<EngagementServices, 'db' | 'clock' | 'jobs'>;

/**
 * Stops the running test of a content that the viewer may change; returns its id. Its numbers stay.
 * @throws AppError for the content, and RESOURCE_NOT_FOUND without a running test.
 */
export function stopTest({ db, clock }: Tools, viewer: ViewerScope, content: ContentTarget): Promise<string> {
  return db.transaction(async (tx) => {
    authorize(CONTENT_CHANGE, await lockContent(tx, content, viewer), 'id');
    const test = await lockRunningTest(tx, content.id);
    if (!test) {
      throw new AppError('RESOURCE_NOT_FOUND', t`No test of this content is running.`, {
        field: 'id',
        suggestedFix: t`Read content.tests: it has ended, or none was started.`,
      });
    }
    await endTest(tx, test, STOPPED, { nowMs: clock.now(), applied: false });
    return test.id;
  });
}

/**
 * Gives a content that the viewer may change the title and image of a variant, of a running or an earlier test; a
 * running test is stopped.
 * @throws AppError for the content, RESOURCE_NOT_FOUND for a variant of another one or whose image no longer exists.
 */
export async function applyVariant(
  tools: Tools,
  viewer: ViewerScope,
  content: ContentTarget,
  variantId: string,
): Promise<void> {
  await tools.db.transaction(async (tx) => {
    const found = await lockContent(tx, content, viewer);
    authorize(CONTENT_CHANGE, found, 'id');
    const variant = await findVariant(tx, variantId, content.id);
    if (!variant) {
      throw new AppError('RESOURCE_NOT_FOUND', t`The tests of this content have no such variant.`, {
        field: 'input.variant',
        suggestedFix: t`Use the id of one of content.tests.variants.`,
      });
    }
    const running = await lockRunningTest(tx, content.id);
    if (running) {
      const applied = running.id === variant.testId;
      await endTest(tx, running, STOPPED, { nowMs: tools.clock.now(), applied });
    }
    await presentVariant(tools, tx, found, variant);
  });
}

/** Gives a locked content the title and image of a variant, and records it. */
export async function presentVariant(
  tools: Pick<Tools, 'clock' | 'jobs'>,
  tx: Transaction,
  content: { readonly id: string; readonly channelId: string },
  { testId, position, title, imageId }: FoundVariant,
): Promise<void> {
  const shown = await readShownContent(tx, content.id);
  const image = imageId === shown?.imageId ? null : imageId;
  const hasChanged = await setPresentation(tools, tx, content, { title, imageId: image }, 'input.variant');
  await recordApplied(tx, testId, { position, hasChanged }, tools.clock.now());
}
