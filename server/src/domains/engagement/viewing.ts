import type { EngagementEvent } from './ingest/engagement-event.ts';

/** The facts about the content of an event. */
export interface WatchedContent {
  readonly id: string;
  readonly channelId: string;
  readonly durationMs: number | null;
  /** Whether everyone may watch it. */
  readonly open: boolean;
}

/** The viewer and the device, as far as they are stored. */
export interface Watcher {
  /** Pseudonym, see viewer-identity.ts. */
  readonly viewer: string;
  /** Only where the account keeps a history. */
  readonly accountId: string | null;
  readonly country: string;
  readonly device: string;
  readonly os: string;
  readonly browser: string;
}

/** Accepted events of one session and content that came together, on their way into watch_events. */
export interface Viewing {
  readonly sessionId: string;
  readonly content: WatchedContent;
  readonly watcher: Watcher;
  readonly events: readonly EngagementEvent[];
}
