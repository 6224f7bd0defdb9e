import type { BroadcastSignFragment } from '../../gql/generated/operations.gen.ts';
import { ago, localInstant, watchingCountText } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';

/** A content that may be a broadcast. */
export interface Broadcastable {
  readonly id?: string;
  readonly broadcast?: BroadcastSignFragment | null;
}

/** Its broadcast; null for what was uploaded. */
export function broadcastOf({ broadcast }: Broadcastable): BroadcastSignFragment | null {
  return broadcast ?? null;
}

type State = Pick<BroadcastSignFragment, 'state'>;

/** Whether a broadcast is live, or waits for its encoder. */
export function isLive({ state }: State): boolean {
  return state === 'LIVE' || state === 'RECONNECTING';
}

/** Whether a broadcast was announced and has not begun. */
export function isUpcoming({ state }: State): boolean {
  return state === 'SCHEDULED' || state === 'CONNECTED';
}

/** Whether a broadcast took place. */
export function isOver({ state }: State): boolean {
  return state === 'ENDED' || state === 'RECORDED';
}

/** What stands on a thumbnail in place of the duration; null for recordings, and what was uploaded. */
export function signText(broadcast: BroadcastSignFragment | null, nowMs: number) {
  if (!broadcast) return null;
  if (isLive(broadcast)) return { text: t`Live`, isLive: true };
  if (!isUpcoming(broadcast) || broadcast.scheduledAt === null) return null;
  return { text: startText(broadcast.scheduledAt, nowMs), isLive: false };
}

const SOON_MS = 60_000;

/** When a broadcast begins: `Starts in 2 hours`. */
export function startText(scheduledAt: string, nowMs: number): string {
  if (Date.parse(scheduledAt) - nowMs < SOON_MS) return t`Starts soon`;
  const when = ago(scheduledAt, nowMs);
  return t`Starts ${when}`;
}

/** How many people watch a broadcast, or the time when it begins; null for recordings, and what was uploaded. */
export function broadcastText(broadcast: BroadcastSignFragment | null): string | null {
  if (!broadcast) return null;
  if (isLive(broadcast)) return watchingCountText(broadcast.viewers ?? 0);
  return isUpcoming(broadcast) && broadcast.scheduledAt !== null ? localInstant(broadcast.scheduledAt) : null;
}
