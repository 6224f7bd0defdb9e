import type { EventType } from '../../kernel/event-types.ts';

/** Something that happened, as it is written in the transaction of the change. */
export interface NewEvent {
  readonly type: EventType;
  /** The channel it belongs to; null for none. */
  readonly channelId: string | null;
  /** Subject: the content for `content.*` and `asset.*`, the job for `job.*`, the upload for `upload.*`. */
  readonly subjectId: string;
  readonly payload?: Readonly<Record<string, unknown>>;
}

/** An event as consumers read it. */
export interface LoggedEvent {
  readonly id: number;
  readonly type: EventType;
  readonly channelId: string | null;
  readonly subjectId: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly createdAt: string;
}
