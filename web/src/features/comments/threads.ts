import type { CommentPartsFragment, ThreadStartFragment } from '../../gql/generated/operations.gen.ts';

/** The first comment of a thread, with the answers that came while the page was open. */
export interface Thread extends ThreadStartFragment {
  readonly arrived?: readonly CommentPartsFragment[];
}

/**
 * The threads with comments that came later, given in the order of their age: new threads stand before all others, the newest first, and
 * answers in the threads they belong to. Those that are there already change nothing.
 */
export function mergeComments(threads: readonly Thread[], comments: readonly Thread[]): readonly Thread[] {
  const fresh = comments.filter(({ id, depth }) => depth === 0 && threads.every((known) => known.id !== id));
  return [...fresh.reverse(), ...threads].map((thread) => {
    const known = thread.arrived ?? [];
    const answers = comments.filter((one) => one.depth > 0 && one.threadId === thread.id && !known.some(({ id }) => id === one.id));
    if (answers.length === 0) return thread;
    // A new thread was counted when it was told, which may have been after the answers.
    const total = fresh.includes(thread) ? Math.max(thread.thread.totalCount, answers.length) : thread.thread.totalCount + answers.length;
    return { ...thread, thread: { totalCount: total }, arrived: [...known, ...answers] };
  });
}

/** Those of the comments that have a place among the threads and are not shown yet. */
export function unseenComments(threads: readonly Thread[], comments: readonly Thread[]): readonly Thread[] {
  const shown = new Set(threads.flatMap(({ id, arrived = [] }) => [id, ...arrived.map((answer) => answer.id)]));
  const starts = new Set([...threads, ...comments].filter(({ depth }) => depth === 0).map(({ id }) => id));
  return comments.filter(({ id, depth, threadId }) => !shown.has(id) && (depth === 0 || starts.has(threadId)));
}
