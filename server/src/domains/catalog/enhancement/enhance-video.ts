import type { CommandContext } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { requireFeature, type SwitchedOff } from '../../../kernel/features.ts';
import type { ContentId } from '../../../kernel/ids.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import type { Jobs } from '../../../platform/jobs/jobs.ts';
import { giveUpNewestOriginal } from '../../assets/index.ts';
import { startUpmix, startUpscale } from '../../enhance/index.ts';
import { takeEnhancementRequest } from './enhancement.store.ts';

/** What starts enhancements. */
export interface EnhanceTools {
  readonly jobs: Pick<Jobs, 'send'>;
  readonly clock: Clock;
  readonly switchedOff: SwitchedOff;
}

type Start = (
  tools: EnhanceTools,
  tx: Transaction,
  video: { readonly contentId: ContentId; readonly again: boolean; readonly field: string },
) => Promise<unknown>;

const KINDS: readonly Start[] = [
  (tools, tx, video) => startUpmix(tools, tx, { ...video, layout: null }),
  (tools, tx, video) => startUpscale(tools, tx, { ...video, input: null }),
];

/**
 * Has the processed video of a content enhanced in every way that suits it, if its owner requested that. What was
 * ordered before is kept, at its size and layout; what does not suit the video (sound in 5.1, say) is left out, and
 * everything if operators switched enhancements off meanwhile.
 */
export async function enhanceIfRequested(tools: EnhanceTools, tx: Transaction, contentId: ContentId): Promise<void> {
  if (!(await takeEnhancementRequest(tx, contentId))) return;
  for (const start of tools.switchedOff().includes('ENHANCEMENT') ? [] : KINDS)
    await start(tools, tx, { contentId, again: false, field: 'id' }).catch((error: unknown) => {
      // Said before anything is written.
      if (!(error instanceof AppError) || error.code !== 'INVALID_INPUT') throw error;
    });
  await giveUpNewestOriginal(tx, contentId, tools.clock.now());
}

/** For the argument `enhance`. Throws UNAUTHORIZED unless the account may enhance videos on this server. */
export function requireEnhancement(context: CommandContext): void {
  context.requirePermission('content:enhance');
  requireFeature('ENHANCEMENT', context.services.catalog.switchedOff());
}
