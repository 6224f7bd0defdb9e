import { RateLimiter } from '../../../gql/index.ts';
import type { Viewing } from '../viewing.ts';
import type { EngagementEvent } from './engagement-event.ts';

/**
 * Impressions of one content that count of one viewer at once, and how fast more do: one for each half hour, as views.
 */
export const IMPRESSIONS_OF_VIEWER = { capacity: 10, refillPerSecond: 1 / 1_800 } as const;
/** Viewers and contents that are remembered. */
const MAX_BUCKETS = 100_000;

/**
 * Filters impressions and clicks to those that count. In memory like other limits (ADR 0008); filtered events are never
 * stored, so a rebuild gives the same sums.
 */
export class CardLimit {
  readonly #limiter = new RateLimiter({ ...IMPRESSIONS_OF_VIEWER, maxBuckets: MAX_BUCKETS });

  /**
   * The card events that count; null where none do. Members of the channel see their own cards while they work, and
   * repeated impressions are limited. The account that saw a card is not stored, only its pseudonym.
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
