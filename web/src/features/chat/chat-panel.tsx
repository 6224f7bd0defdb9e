import { useId } from 'react';
import { t } from '../../lib/i18n.ts';
import { useUser } from '../../lib/session.ts';
import { Spinner } from '../../ui/button.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { useNowPlaying } from '../watch/now-playing.ts';
import { ChatForm } from './chat-form.tsx';
import { ChatSettings } from './chat-settings.tsx';
import { HeldMessages } from './held-messages.tsx';
import type { ChatViewer } from './message-actions.ts';
import { MessageLine } from './message-line.tsx';
import { MessageList } from './message-list.tsx';
import { useChatReplay } from './use-chat-replay.ts';
import { useLiveChat } from './use-live-chat.ts';
import { useStreamChat } from './use-stream-chat.ts';

interface Properties {
  readonly streamId: string;
  readonly channelId: string;
  readonly moderates: boolean;
}

/** The chat of a stream: while it is live, and with its recording at the position of the player. */
export function ChatPanel({ streamId, channelId, moderates }: Properties) {
  const id = useId();
  const username = useUser()?.username ?? null;
  const { chat, error, reload } = useStreamChat(streamId);
  const viewer: ChatViewer = { username, moderates, channelId };
  return (
    <section aria-labelledby={id} className="space-y-3 rounded-2xl bg-surface p-4">
      <h2 id={id} className="text-lg font-semibold">
        {chat?.isOpen === false ? t`Chat replay` : t`Chat`}
      </h2>
      {error !== null && <ErrorNotice error={error} />}
      {chat?.url && chat.isOpen && <LiveChat streamId={streamId} url={chat.url} viewer={viewer} onRefused={reload} />}
      {chat?.url && !chat.isOpen && <Replay streamId={streamId} url={chat.url} viewer={viewer} />}
    </section>
  );
}

interface LiveProperties {
  readonly streamId: string;
  readonly url: string;
  readonly viewer: ChatViewer;
  readonly onRefused: () => void;
}

function LiveChat({ streamId, url, viewer, onRefused }: LiveProperties) {
  const view = useLiveChat(url, onRefused);
  if (view === null) {
    return (
      <p role="status" className="flex items-center gap-2 text-muted">
        <Spinner />
        {t`Loading the chat…`}
      </p>
    );
  }
  const { messages, pinned, isOpen, mode, slowModeMs } = view;
  return (
    <>
      {viewer.moderates && isOpen && <ChatSettings streamId={streamId} mode={mode} slowModeMs={slowModeMs} />}
      {viewer.moderates && <HeldMessages streamId={streamId} />}
      {pinned && (
        <div className="rounded-lg border border-line-strong">
          <MessageLine message={pinned} isPinned viewer={viewer} />
        </div>
      )}
      <MessageList
        messages={messages}
        line={(message) => <MessageLine message={message} isPinned={message.id === pinned?.id} viewer={viewer} />}
      />
      {isOpen ? (
        <ChatForm streamId={streamId} mode={mode} slowModeMs={slowModeMs} />
      ) : (
        <p role="status" className="text-muted">{t`The broadcast has ended, and its chat with it.`}</p>
      )}
    </>
  );
}

function Replay({ streamId, url, viewer }: Omit<LiveProperties, 'onRefused'>) {
  const { player } = useNowPlaying();
  const messages = useChatReplay(streamId, url, player);
  return (
    <MessageList
      messages={messages}
      line={(message) => <MessageLine message={message} isPinned={false} viewer={viewer} />}
    />
  );
}
