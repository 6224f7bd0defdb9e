import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { PlanLimits } from '../../../kernel/plans.ts';
import type { OwnerAccount } from '../../channels/index.ts';

/** Bytes that the owner of a channel may still store; never negative. */
export function remainingBytes({ limits, storedBytes }: Pick<OwnerAccount, 'limits' | 'storedBytes'>): number {
  return Math.max(0, limits.storageBytes - storedBytes);
}

/**
 * The error when a file of `sizeBytes` exceeds the storage quota of the channel's owner; null when it fits. `atLeast`:
 * its size is not known, and this much of it has arrived; the status is then 413, upon which tus clients give up.
 */
export function checkStorageQuota(
  owner: Pick<OwnerAccount, 'limits' | 'storedBytes'>,
  sizeBytes: number,
  field: string,
  { atLeast = false }: { readonly atLeast?: boolean } = {},
): AppError | null {
  const left = remainingBytes(owner);
  if (sizeBytes <= left) return null;
  const { name, storageBytes } = owner.limits;
  return new AppError(
    'INVALID_INPUT',
    atLeast
      ? t`The file has at least ${sizeBytes} bytes, but ${left} of the ${storageBytes} bytes of storage in the ${name}
          plan of the channel's owner are left.`
      : t`The file has ${sizeBytes} bytes, but ${left} of the ${storageBytes} bytes of storage in the ${name} plan of
          the channel's owner are left.`,
    {
      field,
      ...(atLeast ? { httpStatus: 413 } : {}),
      suggestedFix: t`Delete contents that are not needed (the trash counts until it is purged), cancel open uploads,
        or choose a plan with more storage; me.credits reports the usage.`,
    },
  );
}

/** Minutes processed for the owner this month, and those of another video. */
export interface MinutesFacts {
  readonly limits: PlanLimits;
  readonly usedMs: number;
  readonly durationMs: number;
  /** When the month ends, in Unix milliseconds. */
  readonly resetsAtMs: number;
}

const MINUTE_MS = 60_000;

/** The error when a video of this length exceeds the monthly minutes; null when it fits. */
export function checkMinutesQuota({ limits, usedMs, durationMs, resetsAtMs }: MinutesFacts): AppError | null {
  const { name, uploadMinutes } = limits;
  if (usedMs + durationMs <= uploadMinutes * MINUTE_MS) return null;
  const left = Math.max(0, uploadMinutes - usedMs / MINUTE_MS);
  const message = t`The video has ${inMinutes(durationMs / MINUTE_MS)} minutes, but ${inMinutes(left)} of the
    ${uploadMinutes} minutes per month in the ${name} plan of the channel's owner are left.`;
  const day = new Date(resetsAtMs).toISOString().slice(0, 10);
  return new AppError('TRANSCODE_FAILED', message, {
    suggestedFix: t`Submit it again from ${day} on, or choose a plan with more minutes; me.credits reports the usage.`,
  });
}

function inMinutes(minutes: number): string {
  return String(Math.round(minutes * 10) / 10);
}

/** The first instant of the month (UTC) that follows `nowMs`, in Unix milliseconds. */
export function nextMonthMs(nowMs: number): number {
  const now = new Date(nowMs);
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
}

/** The first day of the month (UTC) of `nowMs`, as a date: `2026-11-01`. */
export function monthOf(nowMs: number): string {
  return `${new Date(nowMs).toISOString().slice(0, 7)}-01`;
}
