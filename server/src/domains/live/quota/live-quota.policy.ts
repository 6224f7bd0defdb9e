import { plural, type Text, t } from '../../../kernel/languages/message.ts';
import type { PlanLimits } from '../../../kernel/plans.ts';

export const MINUTE_MS = 60_000;

/** What the channels of an account receive, and have received this month. */
export interface BroadcastUsage {
  /** Broadcasts that have not ended. */
  readonly open: number;
  /** Milliseconds of this month. */
  readonly usedMs: number;
}

export interface BroadcastQuotaFacts extends BroadcastUsage {
  readonly limits: PlanLimits;
  /** Whether the encoder continues one of the broadcasts that are open. */
  readonly isContinued: boolean;
  /** When the month ends, in Unix milliseconds. */
  readonly resetsAtMs: number;
}

/** Why the plan of a channel's owner admits no encoder now; null where it does. Pure. */
export function refusalByQuota({ limits, open, usedMs, isContinued, resetsAtMs }: BroadcastQuotaFacts): Text | null {
  if (broadcastMsLeft(limits, usedMs) === 0) return minutesUsedUp(limits, resetsAtMs);
  const { name, maxBroadcasts } = limits;
  if (isContinued || open < maxBroadcasts) return null;
  return t`The ${name} plan of the channel's owner allows ${plural(maxBroadcasts, {
    one: '# broadcast',
    other: '# broadcasts',
  })} at the same time. End another one, or choose a plan with more broadcasts.`;
}

/** What is left of this month; never negative. */
export function broadcastMsLeft({ broadcastMinutes }: PlanLimits, usedMs: number): number {
  return Math.max(0, broadcastMinutes * MINUTE_MS - usedMs);
}

/** Why a broadcast was ended, or an encoder refused. */
export function minutesUsedUp({ name, broadcastMinutes }: PlanLimits, resetsAtMs: number): Text {
  const day = new Date(resetsAtMs).toISOString().slice(0, 10);
  return t`The owner of the channel has used the ${plural(broadcastMinutes, {
    one: '# minute',
    other: '# minutes',
  })} of broadcasts per month in the ${name} plan. Broadcast again from ${day} on, or choose a plan with more minutes.`;
}
