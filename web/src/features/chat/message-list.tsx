import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { t } from '../../lib/i18n.ts';
import type { ChatMessage } from './chat-updates.ts';

interface Properties {
  readonly messages: readonly ChatMessage[];
  readonly line: (message: ChatMessage) => ReactNode;
  readonly className?: string;
}

/** So near to its end, a list follows new messages, in pixels. */
const NEAR = 40;

/** The messages of a chat, newest last. It follows them, unless the viewer reads earlier ones. */
export function MessageList({ messages, line, className = 'h-72 lg:h-[26rem]' }: Properties) {
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
      className={`overflow-y-auto overscroll-contain ${className}`}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        follows.current = scrollHeight - clientHeight - scrollTop < NEAR;
      }}
    >
      {messages.map((message) => (
        <li key={message.id}>{line(message)}</li>
      ))}
    </ol>
  );
}
