import { AppError } from '../../../kernel/errors.ts';
import type { PlanLimits } from '../../../kernel/plans.ts';
import type { OwnerAccount } from '../../channels/index.ts';

/** Bytes that the owner of a channel may still store; never negative. */
export function remainingBytes({ limits, storedBytes }: Pick<OwnerAccount, 'limits' | 'storedBytes'>): number {
  return Math.max(0, limits.storageBytes - storedBytes);
}

/** Why a file of `sizeBytes` does not fit into the storage of the channel's owner; null when it does. */
export function judgeStorage(owner: Pick<OwnerAccount, 'limits' | 'storedBytes'>, sizeBytes: number, field: string): AppError | null {
  const left = remainingBytes(owner);
  if (sizeBytes <= left) return null;
  const { name, storageBytes } = owner.limits;
  return new AppError(
    'INVALID_INPUT',
    `The file has ${sizeBytes} bytes, and ${left} of the ${storageBytes} bytes that the plan ${name} of the channel's owner stores are left.`,
    {
      field,
      suggestedFix:
        'Delete contents that are not needed (what lies in the trash counts until it is purged), cancel uploads that are open, or choose a plan with more storage; me.credits tells what is used.',
    },
  );
}

/** Minutes that were processed for the owner in this month, and those of one video more. */
export interface MinutesFacts {
  readonly limits: PlanLimits;
  readonly usedMs: number;
  readonly durationMs: number;
  /** When the month ends, in Unix milliseconds. */
  readonly resetsAtMs: number;
}

const MINUTE_MS = 60_000;

/** Why a video of this length is not processed in this month; null when it is. */
export function judgeMinutes({ limits, usedMs, durationMs, resetsAtMs }: MinutesFacts): AppError | null {
  const { name, uploadMinutes } = limits;
  if (usedMs + durationMs <= uploadMinutes * MINUTE_MS) return null;
  const left = Math.max(0, uploadMinutes - usedMs / MINUTE_MS);
  const message = `The video has ${inMinutes(durationMs / MINUTE_MS)} minutes, and ${inMinutes(left)} of the ${uploadMinutes} minutes that the plan ${name} of the channel's owner processes in a month are left.`;
  const day = new Date(resetsAtMs).toISOString().slice(0, 10);
  return new AppError('TRANSCODE_FAILED', message, {
    suggestedFix: `Submit it again from ${day} on, or choose a plan with more minutes; me.credits tells what is used.`,
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
