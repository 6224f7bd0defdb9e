import { useEffect, useRef, useState } from 'react';
import { CommentAdded, Comments } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { useVisible } from '../../lib/hooks/use-visible.ts';
import { subscribe } from '../../lib/subscribe.ts';
import { type Thread, unseenComments } from './threads.ts';

/**
 * Where to resume a stream: after the last message or, before the first one, with the threads that are newer than the
 * page.
 */
interface StreamPosition {
  readonly contentId: string;
  readonly before: Promise<ReadonlySet<string>>;
  cursor: string | null;
}

/**
 * Comments by others that arrive while the page is open, oldest first, until cleared. Streams require an account:
 * without one nothing is subscribed. A hidden page closes its stream, because browsers limit connections per server,
 * and resumes it later.
 */
export function useLiveComments(contentId: string, username: string | null, threads: readonly Thread[]) {
  const [received, setReceived] = useState<readonly Thread[]>([]);
  const visible = useVisible();
  const kept = useRef<StreamPosition | null>(null);
  useEffect(() => {
    if (username === null || !visible) return;
    const position = kept.current?.contentId === contentId ? kept.current : streamPosition(contentId);
    kept.current = position;
    const receive = (comments: readonly Thread[]): void => {
      const others = comments.filter(({ author }) => author !== null && author.username !== username);
      setReceived((known) => [...new Map([...known, ...others].map((each) => [each.id, each])).values()]);
    };
    return subscribe(
      CommentAdded,
      { contentId, after: position.cursor },
      {
        onMessage: ({ commentAdded }, id) => {
          position.cursor = id ?? position.cursor;
          if (commentAdded) receive([commentAdded]);
        },
        onState: (state) => {
          if (state === 'live' && position.cursor === null) void missedThreads(position).then(receive, () => undefined);
        },
        onError: () => undefined, // optional on this page
      },
    );
  }, [contentId, username, visible]);
  return { newComments: unseenComments(threads, received), clear: () => setReceived([]) };
}

function streamPosition(contentId: string): StreamPosition {
  const before = newest(contentId).then((threads) => new Set(threads.map(({ id }) => id)));
  before.catch(() => undefined); // handled where it is awaited
  return { contentId, before, cursor: null };
}

/** Threads started since the position was taken, oldest first. */
async function missedThreads({ contentId, before }: StreamPosition): Promise<readonly Thread[]> {
  const [known, now] = await Promise.all([before, newest(contentId)]);
  return now.filter(({ id }) => !known.has(id)).reverse();
}

async function newest(contentId: string): Promise<readonly Thread[]> {
  return (await api(Comments, { contentId, sort: 'NEWEST', after: null })).comments.edges.map(({ node }) => node);
}
