import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import { fact, not, oneOf, or, type Policy, permission, state } from '../../../kernel/policy.ts';
import { CONTENT_CHANGE, contentNotFound } from '../../catalog/index.ts';
import { blockedHere, type HoldReason } from '../../social/index.ts';
import type { ChatMode } from './chat-fields.ts';

/** Messages that an account can write in a chat per minute; members of the channel are not limited. */
export const MESSAGES_A_MINUTE = 30;

/** Why a message is held for review. */
export type MessageHoldReason = Extract<HoldReason, 'BLOCKED_WORD' | 'LINK'>;

/** The facts about a chat, for who writes in it. */
export interface ChatPlace {
  readonly channelId: string;
  /** Whether the writer may see the stream. */
  readonly visible: boolean;
  /** Whether the writer is a member of the channel, in any role. */
  readonly member: boolean;
  /** Whether the writer's role may moderate. */
  readonly moderator: boolean;
  readonly follows: boolean;
  readonly blocked: boolean;
  /** Until when moderators keep the writer from writing; null where they do not. */
  readonly timedOutUntil: string | null;
  readonly timedOut: boolean;
  readonly isOpen: boolean;
  readonly mode: ChatMode;
  readonly slowModeMs: number;
  readonly blockedWords: readonly string[];
  readonly holdLinks: boolean;
}

/** Who may write in a chat. */
export const CHAT_WRITING: Policy<ChatPlace> = {
  missing: chatNotFound,
  requires: [
    permission<ChatPlace>(fact('visible'), contentNotFound),
    permission<ChatPlace>(not(fact('blocked')), blockedHere),
    state<ChatPlace>(fact('isOpen'), (field) => {
      return new AppError('INVALID_INPUT', t`The broadcast of this stream has ended, and its chat with it.`, {
        field,
        suggestedFix: t`Write a comment on the stream instead.`,
      });
    }),
    state<ChatPlace>(not(oneOf('mode', ['NOBODY'])), (field) => closed(t`The chat is paused.`, field)),
    permission<ChatPlace>(or(not(oneOf('mode', ['MEMBERS'])), fact('member')), (field) =>
      closed(t`Only members of the channel can write in this chat.`, field),
    ),
    permission<ChatPlace>(or(not(oneOf('mode', ['FOLLOWERS'])), fact('follows'), fact('member')), (field) =>
      closed(t`Only followers of the channel can write in this chat.`, field),
    ),
    permission<ChatPlace>(not(fact('timedOut')), (field, { timedOutUntil }) => {
      return new AppError('UNAUTHORIZED', t`Moderators have paused your messages until ${timedOutUntil ?? ''}.`, {
        field,
        suggestedFix: t`Wait until then.`,
      });
    }),
  ],
};

/** Who may change a chat. */
export const CHAT_CHANGE: typeof CONTENT_CHANGE = { ...CONTENT_CHANGE, missing: chatNotFound };

/** The facts about a message, for the viewer. */
export interface ChatMessageFacts {
  readonly visible: boolean;
  readonly author: boolean;
  /** Whether the viewer's role in the channel lets them moderate. */
  readonly moderator: boolean;
}

/** Authors delete their messages, and moderators everyone's. */
export const CHAT_MESSAGE_DELETION: Policy<ChatMessageFacts> = {
  missing: messageNotFound,
  requires: [
    permission(fact('visible'), messageNotFound),
    permission(or(fact('author'), fact('moderator')), () =>
      notYours(t`Only its author and the moderators of the channel can delete this message.`),
    ),
  ],
};

/** Who may approve and unpin messages: the moderators of the channel. */
export const CHAT_MODERATION: Policy<ChatMessageFacts> = {
  missing: messageNotFound,
  requires: [
    permission(fact('visible'), messageNotFound),
    permission(fact('moderator'), () => notYours(t`Only the moderators of the channel can do this.`)),
  ],
};

/** Who may pin a message: one that is published. */
export const CHAT_PIN: Policy<ChatMessageFacts & { readonly published: boolean }> = {
  ...CHAT_MODERATION,
  requires: [
    ...CHAT_MODERATION.requires,
    state(fact('published'), (field) => {
      return new AppError('INVALID_INPUT', t`A message that is held for review cannot be pinned.`, {
        field,
        suggestedFix: t`Call approveChatMessage first.`,
      });
    }),
  ],
};

function chatNotFound(field: string): AppError {
  return new AppError('RESOURCE_NOT_FOUND', t`There is no chat here, or it is not visible to this account.`, {
    field,
    suggestedFix: t`Use the id of a stream whose chat is not null.`,
  });
}

function messageNotFound(field: string): AppError {
  return new AppError('RESOURCE_NOT_FOUND', t`There is no such message, or it is not visible to this account.`, {
    field,
    suggestedFix: t`Check the id; Chat.messages lists the messages of a chat.`,
  });
}

/** RATE_LIMIT_EXCEEDED for an account that has to wait. */
export function tooFast(waitMs: number): AppError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
  return new AppError('RATE_LIMIT_EXCEEDED', t`You can write the next message in ${seconds} seconds.`, {
    suggestedFix: t`Wait, and send it again.`,
    retryAfterSeconds: seconds,
  });
}

function closed(message: ConstructorParameters<typeof AppError>[1], field: string): AppError {
  return new AppError('UNAUTHORIZED', message, {
    field,
    suggestedFix: t`Read mode of the chat before showing a form.`,
  });
}

function notYours(message: ConstructorParameters<typeof AppError>[1]): AppError {
  return new AppError('UNAUTHORIZED', message, { field: 'id', suggestedFix: t`Use the id of a message of yours.` });
}
