import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { PlanLimits } from '../../../kernel/plans.ts';

/** Derived files may take this multiple of the size of the original. */
export const DERIVED_MULTIPLE = 10;
/** Minimum: strongly compressed originals are small, while their streams are encoded for every player. */
export const DERIVED_FLOOR_BYTES = 2 * 1024 ** 3;

/** Maximum bytes of files derived from an original of `sizeBytes`. Pure. */
export function derivedLimitOfVideo(sizeBytes: number): number {
  return Math.max(DERIVED_MULTIPLE * sizeBytes, DERIVED_FLOOR_BYTES);
}

/**
 * The error when `bytes` more would exceed the quota for derived files of an owner who uses `usedBytes`, including
 * running jobs; null when they fit. Pure.
 */
export function checkDerivedQuota(limits: PlanLimits, usedBytes: number, bytes: number): AppError | null {
  const { name, derivedBytes: limit } = limits;
  if (usedBytes + bytes <= limit) return null;
  return new AppError(
    'TRANSCODE_FAILED',
    t`Files derived from the videos of the channel's owner take ${usedBytes} bytes; ${bytes} more for this video would
      exceed the ${limit} bytes of the ${name} plan.`,
    {
      suggestedFix: t`Delete contents that are not needed, or choose a plan with more storage;
        me.credits.derivedStorage reports the usage.`,
    },
  );
}
