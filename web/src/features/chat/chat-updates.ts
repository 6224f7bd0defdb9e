import type { ChatMode } from '../../gql/generated/operations.gen.ts';

/** A message as the address of a chat has it. */
export interface ChatMessage {
  readonly id: string;
  readonly author: string;
  readonly isByMember: boolean;
  readonly body: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** In the recording, in milliseconds; only of replays. */
  readonly positionMs?: number;
}

/** What the address of a chat answers: all of it, or what has changed after a version. */
export interface ChatUpdate {
  readonly version: number;
  readonly mode: ChatMode;
  readonly slowModeMs: number;
  readonly isOpen: boolean;
  readonly isComplete: boolean;
  readonly pinned: ChatMessage | null;
  readonly messages: readonly ChatMessage[];
  readonly removed: readonly string[];
}

/** A chat as it is shown. */
export interface ChatView extends Omit<ChatUpdate, 'isComplete' | 'removed'> {}

/** So many messages are shown; the oldest leave first. */
const MOST_SHOWN = 300;

/** A chat after an update. */
export function withUpdate(view: ChatView | null, { isComplete, removed, messages, ...state }: ChatUpdate): ChatView {
  if (isComplete || view === null) return { ...state, messages };
  const changed = new Map(messages.map((message) => [message.id, message]));
  const gone = new Set(removed);
  const kept = view.messages.filter(({ id }) => !gone.has(id)).map((message) => changed.get(message.id) ?? message);
  const known = new Set(kept.map(({ id }) => id));
  const all = [...kept, ...messages.filter(({ id }) => !known.has(id))];
  return { ...state, messages: all.toSorted(byTime).slice(-MOST_SHOWN) };
}

/** An approved message stands where it was written. */
function byTime(a: ChatMessage, b: ChatMessage): number {
  return a.createdAt < b.createdAt ? -1 : Number(a.createdAt > b.createdAt);
}

/** The messages of a replay that have been written at a position, the last ones. */
export function writtenBy(messages: readonly ChatMessage[], positionMs: number): readonly ChatMessage[] {
  return messages.filter((message) => (message.positionMs ?? 0) <= positionMs).slice(-MOST_SHOWN);
}
