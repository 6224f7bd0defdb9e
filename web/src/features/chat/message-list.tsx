import { useLayoutEffect, useRef } from 'react';
import { t } from '../../lib/i18n.ts';
import type { ChatMessage } from './chat-updates.ts';
import type { ChatViewer } from './message-actions.ts';
import { MessageLine } from './message-line.tsx';

interface Properties {
  readonly messages: readonly ChatMessage[];
  readonly pinnedId: string | null;
  readonly viewer: ChatViewer;
}

/** So near to its end, a list follows new messages, in pixels. */
const NEAR = 40;

/** The messages of a chat, newest last. It follows them, unless the viewer reads earlier ones. */
export function MessageList({ messages, pinnedId, viewer }: Properties) {
  const list = useRef<HTMLOListElement>(null);
  const follows = useRef(true);
  const last = messages.at(-1)?.id;
  useLayoutEffect(() => {
    if (last !== undefined && list.current && follows.current) list.current.scrollTop = list.current.scrollHeight;
  }, [last]);
  return (
    <ol
      ref={list}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
      tabIndex={0}
      aria-label={t`Messages`}
      className="h-72 overflow-y-auto overscroll-contain lg:h-[26rem]"
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        follows.current = scrollHeight - clientHeight - scrollTop < NEAR;
      }}
    >
      {messages.map((message) => (
        <li key={message.id}>
          <MessageLine message={message} isPinned={message.id === pinnedId} viewer={viewer} />
        </li>
      ))}
    </ol>
  );
}
