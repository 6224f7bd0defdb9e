import { t } from '../../lib/i18n.ts';
import { siteName } from '../../lib/site.ts';
import type { PlayerController } from '../../player/controller.ts';
import type { ChatMessage } from '../chat/chat-updates.ts';
import { MessageList } from '../chat/message-list.tsx';
import { MessageText } from '../chat/message-text.tsx';
import { useChatReplay } from '../chat/use-chat-replay.ts';
import { useLiveChat } from '../chat/use-live-chat.ts';
import { useStreamChat } from '../chat/use-stream-chat.ts';

interface Properties {
  readonly streamId: string;
  /** Of the page on which messages are written. */
  readonly path: string;
  readonly player: PlayerController | null;
}

/** The chat of a stream beside its player, to read: frames have no buttons that change data. */
export function EmbedChat({ streamId, path, player }: Properties) {
  const { chat, reload } = useStreamChat(streamId);
  if (!chat?.url) return null;
  return (
    <section
      aria-label={chat.isOpen ? t`Chat` : t`Chat replay`}
      className="flex min-h-0 flex-col gap-2 bg-surface p-3 text-fore max-md:h-2/5 md:w-80"
    >
      {chat.isOpen ? (
        <Live url={chat.url} onRefused={reload} />
      ) : (
        <Replay streamId={streamId} url={chat.url} player={player} />
      )}
      {chat.isOpen && (
        <a
          href={path}
          target="_blank"
          rel="noopener"
          className="text-center text-sm text-accent-text underline underline-offset-3"
        >
          {t`Chat on ${siteName()}`}
        </a>
      )}
    </section>
  );
}

function Live({ url, onRefused }: { readonly url: string; readonly onRefused: () => void }) {
  const view = useLiveChat(url, onRefused);
  return (
    <>
      {view?.pinned && (
        <div className="rounded-lg border border-line-strong px-2 py-1">
          <MessageText message={view.pinned} />
        </div>
      )}
      <Messages messages={view?.messages ?? []} />
    </>
  );
}

function Replay({ streamId, url, player }: Omit<Properties, 'path'> & { readonly url: string }) {
  return <Messages messages={useChatReplay(streamId, url, player)} />;
}

function Messages({ messages }: { readonly messages: readonly ChatMessage[] }) {
  return (
    <MessageList
      className="min-h-0 grow text-sm"
      messages={messages}
      line={(message) => (
        <div className="px-1 py-0.5">
          <MessageText message={message} />
        </div>
      )}
    />
  );
}
