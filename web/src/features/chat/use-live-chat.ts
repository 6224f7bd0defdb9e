import { useEffect, useState } from 'react';
import { unreachable } from '../../lib/api.ts';
import { delay } from '../../lib/subscribe.ts';
import { sameOriginUrl } from '../../lib/url.ts';
import { type ChatUpdate, type ChatView, withUpdate } from './chat-updates.ts';

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;

/**
 * A chat while it is open: each request waits for what is new. Null before the first answer. `onRefused` is called
 * where the address is not valid any more.
 */
export function useLiveChat(url: string | null, onRefused: () => void): ChatView | null {
  const [view, setView] = useState<ChatView | null>(null);
  useEffect(() => {
    if (url === null) return;
    const closing = new AbortController();
    void read(sameOriginUrl(url), closing.signal, setView, onRefused);
    return () => closing.abort();
  }, [url, onRefused]);
  return view;
}

async function read(
  url: string,
  signal: AbortSignal,
  onView: (change: (before: ChatView | null) => ChatView) => void,
  onRefused: () => void,
): Promise<void> {
  let version: number | null = null;
  let waitMs = FIRST_WAIT_MS;
  while (!signal.aborted) {
    try {
      await visible(signal);
      const update: ChatUpdate | null = await load(version === null ? url : `${url}?after=${version}`, signal);
      if (signal.aborted) return;
      if (update === null) return onRefused();
      version = update.version;
      waitMs = FIRST_WAIT_MS;
      onView((before) => withUpdate(before, update));
      if (!update.isOpen) return;
    } catch {
      if (signal.aborted) return;
      await delay(waitMs, signal);
      waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS);
    }
  }
}

/** Null where the address is refused. */
async function load(url: string, signal: AbortSignal): Promise<ChatUpdate | null> {
  const response = await fetch(url, { signal, cache: 'no-store' });
  if (response.ok) return response.json();
  if (response.status >= 400 && response.status < 500 && response.status !== 429) return null;
  throw unreachable();
}

/** A page that nobody sees does not read. */
function visible(signal: AbortSignal): Promise<void> {
  if (!document.hidden) return Promise.resolve();
  return new Promise((resolve) => {
    const look = (): void => {
      if (document.hidden && !signal.aborted) return;
      document.removeEventListener('visibilitychange', look);
      signal.removeEventListener('abort', look);
      resolve();
    };
    document.addEventListener('visibilitychange', look);
    signal.addEventListener('abort', look);
  });
}
