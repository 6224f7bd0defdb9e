import type { CommentPartsFragment, ThreadStartFragment } from '../../gql/generated/operations.gen.ts';

/** The first comment of a thread, with replies that arrived while the page was open. */
export interface Thread extends ThreadStartFragment {
  readonly arrived?: readonly CommentPartsFragment[];
}

/**
 * Merges comments that arrived later, given oldest first: new threads come before all others, newest first, and replies
 * go into their threads. Known comments are ignored.
 */
export function mergeComments(threads: readonly Thread[], comments: readonly Thread[]): readonly Thread[] {
  const fresh = comments.filter(({ id, depth }) => depth === 0 && threads.every((known) => known.id !== id));
  return [...fresh.reverse(), ...threads].map((thread) => {
    const known = thread.arrived ?? [];
    const replies = comments.filter(
      (one) => one.depth > 0 && one.threadId === thread.id && !known.some(({ id }) => id === one.id),
    );
    if (replies.length === 0) return thread;
    // The count of a new thread may already include these replies.
    const total = fresh.includes(thread)
      ? Math.max(thread.thread.totalCount, replies.length)
      : thread.thread.totalCount + replies.length;
    return { ...thread, thread: { totalCount: total }, arrived: [...known, ...replies] };
  });
}

/** The comments that are not shown yet and whose thread is loaded. */
export function unseenComments(threads: readonly Thread[], comments: readonly Thread[]): readonly Thread[] {
  const shown = new Set(threads.flatMap(({ id, arrived = [] }) => [id, ...arrived.map((reply) => reply.id)]));
  const starts = new Set([...threads, ...comments].filter(({ depth }) => depth === 0).map(({ id }) => id));
  return comments.filter(({ id, depth, threadId }) => !shown.has(id) && (depth === 0 || starts.has(threadId)));
}
