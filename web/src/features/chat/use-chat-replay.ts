import { useQueries } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { unreachable } from '../../lib/api.ts';
import { sameOriginUrl } from '../../lib/url.ts';
import type { PlayerController } from '../../player/controller.ts';
import { type ChatMessage, writtenBy } from './chat-updates.ts';

const MINUTE_MS = 60_000;
/** The minute that is played, those that are still read, and the next one. */
const AROUND = [-2, -1, 0, 1];

/** The messages of a recording that have been written at the position of the player. */
export function useChatReplay(
  contentId: string,
  url: string | null,
  player: PlayerController | null,
): readonly ChatMessage[] {
  // A second is near enough, and renders once in it.
  const second = useSyncExternalStore(player?.subscribe ?? nothing, () => Math.floor(player?.state().time ?? 0));
  const minute = Math.floor((1_000 * second) / MINUTE_MS);
  const minutes = url === null ? [] : AROUND.map((offset) => minute + offset).filter((each) => each >= 0);
  const loaded = useQueries({
    queries: minutes.map((each) => ({
      queryKey: ['chat-replay', contentId, each],
      queryFn: () => load(sameOriginUrl(url ?? ''), each * MINUTE_MS),
      staleTime: MINUTE_MS,
    })),
  });
  return writtenBy(
    loaded.flatMap(({ data }) => data ?? []),
    1_000 * (second + 1) - 1,
  );
}

async function load(url: string, fromMs: number): Promise<readonly ChatMessage[]> {
  const response = await fetch(`${url}?from=${fromMs}`).catch(() => {
    throw unreachable();
  });
  if (!response.ok) throw unreachable();
  const { messages }: { readonly messages: readonly ChatMessage[] } = await response.json();
  return messages;
}

const nothing = () => () => undefined;
