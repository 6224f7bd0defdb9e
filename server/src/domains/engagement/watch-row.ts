import type { EngagementEvent } from './engagement-event.ts';
import type { Watcher } from './viewing.ts';

/** An accepted event with what is known of who watched: a row of watch_events. */
export interface WatchRow extends EngagementEvent, Watcher {
  readonly channelId: string;
  readonly durationMs: number | null;
}
