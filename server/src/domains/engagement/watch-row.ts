import type { EngagementEvent } from './engagement-event.ts';

/** An accepted event with what is known of who watched: a row of watch_events. */
export interface WatchRow extends EngagementEvent {
  readonly channelId: string;
  /** Pseudonym, see viewer-identity.ts. */
  readonly viewer: string;
  /** Only where the account keeps a history. */
  readonly accountId: string | null;
  readonly country: string;
  readonly device: string;
  readonly os: string;
  readonly browser: string;
  readonly durationMs: number | null;
}
