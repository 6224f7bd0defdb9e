import {
  BlockChatUser,
  DeleteChatMessage,
  PinChatMessage,
  TimeOutUser,
  UnpinChatMessage,
} from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { t } from '../../lib/i18n.ts';
import type { IconName } from '../../ui/icons.tsx';
import type { ChatMessage } from './chat-updates.ts';

/** Who looks at a chat. */
export interface ChatViewer {
  /** Null without an account. */
  readonly username: string | null;
  readonly moderates: boolean;
  readonly channelId: string;
}

/** An item of a message's menu. */
export interface MessageAction {
  readonly name: string;
  readonly icon: IconName;
  readonly run: () => Promise<void>;
}

const TIMEOUT_MS = 600_000;

/** What a viewer may do with a message. Each throws ApiError. */
export function messageActions(message: ChatMessage, isPinned: boolean, viewer: ChatViewer): readonly MessageAction[] {
  const { id, author: username, isByMember } = message;
  const { channelId: channel, moderates } = viewer;
  const actions: MessageAction[] = [];
  if (moderates)
    actions.push({
      name: isPinned ? t`Unpin` : t`Pin`,
      icon: 'pin',
      run: async () => void (await (isPinned ? api(UnpinChatMessage, { id }) : api(PinChatMessage, { id }))),
    });
  if (moderates || username === viewer.username)
    actions.push({ name: t`Delete`, icon: 'trash', run: async () => void (await api(DeleteChatMessage, { id })) });
  if (moderates && !isByMember) {
    const timeout = { channel, username, durationMs: TIMEOUT_MS, deleteMessages: true };
    actions.push(
      {
        name: t`Time out ${username} for 10 minutes`,
        icon: 'pause',
        run: async () => void (await api(TimeOutUser, timeout)),
      },
      {
        name: t`Block ${username}`,
        icon: 'block',
        run: async () => void (await api(BlockChatUser, { channel, username })),
      },
    );
  }
  return actions;
}
