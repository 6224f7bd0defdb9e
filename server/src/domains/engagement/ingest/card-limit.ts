import { RateLimiter } from '../../../gql/index.ts';
import type { Viewing } from '../viewing.ts';
import type { EngagementEvent } from './engagement-event.ts';

/** Impressions of a content by one viewer that count at once, and the refill: one per half hour, as for views. */
export const IMPRESSIONS_OF_VIEWER = { capacity: 10, refillPerSecond: 1 / 1_800 } as const;
/** Maximum number of pairs of viewer and content in memory. */
const MAX_BUCKETS = 100_000;

/**
 * Drops impressions and clicks that do not count. In memory like other limits (ADR 0008); dropped events are not
 * stored, so a rebuild gives the same sums.
 */
export class CardLimit {
  readonly #limiter = new RateLimiter({ ...IMPRESSIONS_OF_VIEWER, maxBuckets: MAX_BUCKETS });

  /**
   * The card events that count; null when none do. Members of the channel do not count, and repeated impressions are
   * limited. Only the viewer's pseudonym is stored, not the account.
   */
  counted(viewing: Viewing, ownChannels: ReadonlySet<string>, nowMs: number): Viewing | null {
    const { content, watcher } = viewing;
    if (ownChannels.has(content.channelId)) return null;
    const key = watcher.viewer + content.id;
    const events = viewing.events.filter((event) => this.#passes(event, key, nowMs));
    return events.length === 0 ? null : { ...viewing, watcher: { ...watcher, accountId: null }, events };
  }

  /** Clicks count only with an impression of the same visit, so they need no separate limit. */
  #passes({ kind }: EngagementEvent, key: string, nowMs: number): boolean {
    if (kind !== 'IMPRESSION') return true;
    if (this.#limiter.available(key, nowMs) < 1) return false;
    this.#limiter.take(key, 1, nowMs);
    return true;
  }
}
