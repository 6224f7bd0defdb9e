import type { EngagementEvent } from './ingest/engagement-event.ts';

/** The facts about the content of an event. */
export interface WatchedContent {
  readonly id: string;
  readonly channelId: string;
  readonly durationMs: number | null;
  /** Whether everyone may watch it. */
  readonly open: boolean;
}

/** The stored facts about viewer and device. */
export interface Watcher {
  /** Pseudonym, see viewer-identity.ts. */
  readonly viewer: string;
  /** Only when the account keeps a history. */
  readonly accountId: string | null;
  readonly country: string;
  readonly device: string;
  readonly os: string;
  readonly browser: string;
}

/** Accepted events of one session and content that came together, to be written to watch_events. */
export interface Viewing {
  readonly sessionId: string;
  readonly content: WatchedContent;
  readonly watcher: Watcher;
  readonly events: readonly EngagementEvent[];
}
