import { AppError } from '../../../kernel/errors.ts';
import type { PlanLimits } from '../../../kernel/plans.ts';

/** What processing makes of a video may take so many times the size of the original. */
export const DERIVED_MULTIPLE = 10;
/** And so much at least: strongly compressed originals are small, their streams are encoded for every player. */
export const DERIVED_FLOOR_BYTES = 2 * 1024 ** 3;

/** Most bytes that may be made of an original of `sizeBytes`. Pure. */
export function derivedLimitOfVideo(sizeBytes: number): number {
  return Math.max(DERIVED_MULTIPLE * sizeBytes, DERIVED_FLOOR_BYTES);
}

/** Why `bytes` more must not be made of the videos of an owner, for whom `usedBytes` were made or are being made; null when they may. Pure. */
export function judgeDerived(limits: PlanLimits, usedBytes: number, bytes: number): AppError | null {
  const { name, derivedBytes: limit } = limits;
  if (usedBytes + bytes <= limit) return null;
  return new AppError(
    'TRANSCODE_FAILED',
    `What is made of the videos of the channel's owner takes ${usedBytes} bytes; with ${bytes} more for this one it would exceed the ${limit} bytes of the plan ${name}.`,
    {
      suggestedFix:
        'Delete contents that are not needed, or choose a plan with more storage; me.credits.derivedStorage tells what is used.',
    },
  );
}
