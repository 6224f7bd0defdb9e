import { useEffect, useRef, useState } from 'react';
import { CommentAdded, Comments } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { subscribe } from '../../lib/subscribe.ts';
import { useVisible } from '../../lib/use-visible.ts';
import { type Thread, unseenComments } from './threads.ts';

/** Where a content's stream goes on: behind the last message; before there was one, with what was not there when the page opened. */
interface StreamPosition {
  readonly contentId: string;
  readonly before: Promise<ReadonlySet<string>>;
  cursor: string | null;
}

/**
 * Comments that others write while the page is open, the oldest first, until they are forgotten. Streams are for accounts: for null nothing
 * is followed. A page that is hidden closes its stream, because browsers keep few connections to one server, and goes on with it later.
 */
export function useLiveComments(contentId: string, username: string | null, threads: readonly Thread[]) {
  const [heard, setHeard] = useState<readonly Thread[]>([]);
  const visible = useVisible();
  const kept = useRef<StreamPosition | null>(null);
  useEffect(() => {
    if (username === null || !visible) return;
    const place = kept.current?.contentId === contentId ? kept.current : streamPosition(contentId);
    kept.current = place;
    const hear = (comments: readonly Thread[]): void => {
      const others = comments.filter(({ author }) => author !== null && author.username !== username);
      setHeard((known) => [...new Map([...known, ...others].map((each) => [each.id, each])).values()]);
    };
    return subscribe(
      CommentAdded,
      { contentId, after: place.cursor },
      {
        onMessage: ({ commentAdded }, id) => {
          place.cursor = id ?? place.cursor;
          if (commentAdded) hear([commentAdded]);
        },
        onState: (state) => {
          if (state === 'live' && place.cursor === null) void missedThreads(place).then(hear, () => undefined);
        },
        onError: () => undefined, // the page is whole without
      },
    );
  }, [contentId, username, visible]);
  return { newComments: unseenComments(threads, heard), clear: () => setHeard([]) };
}

function streamPosition(contentId: string): StreamPosition {
  const before = newest(contentId).then((threads) => new Set(threads.map(({ id }) => id)));
  before.catch(() => undefined); // met by whoever asks for it
  return { contentId, before, cursor: null };
}

/** Threads that began since the place was taken, the oldest first. */
async function missedThreads({ contentId, before }: StreamPosition): Promise<readonly Thread[]> {
  const [known, now] = await Promise.all([before, newest(contentId)]);
  return now.filter(({ id }) => !known.has(id)).reverse();
}

async function newest(contentId: string): Promise<readonly Thread[]> {
  return (await api(Comments, { contentId, sort: 'NEWEST', after: null })).comments.edges.map(({ node }) => node);
}
