import type { Watcher } from '../viewing.ts';
import type { EngagementEvent } from './engagement-event.ts';

/** An accepted event with what is known of who watched: a row of watch_events. */
export interface WatchRow extends EngagementEvent, Watcher {
  readonly channelId: string;
  readonly durationMs: number | null;
}
