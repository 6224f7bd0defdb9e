import type { Watcher } from '../viewing.ts';
import type { EngagementEvent } from './engagement-event.ts';

/** An accepted event with its viewer: a row of watch_events. */
export interface WatchRow extends EngagementEvent, Watcher {
  readonly channelId: string;
  readonly durationMs: number | null;
}
