import { type RevisionInput, readChanges, revised, type StatementCommand } from '../../../gql/index.ts';
import { readContentId } from '../../catalog/index.ts';
import { CHAT_CHANGE, CHAT_MESSAGE_DELETION, CHAT_MODERATION, CHAT_PIN } from './chat.policy.ts';
import {
  approveMessageWrites,
  CHAT_TARGET,
  type ChatChange,
  deleteMessageWrites,
  MESSAGE_TARGET,
  type MessageTarget,
  pinMessageWrites,
  unpinMessageWrites,
  updateChatWrites,
} from './chat-commands.store.ts';
import { CHAT_FIELDS, type ChatInput } from './chat-fields.ts';

type MessageCommand = StatementCommand<{ readonly id: string }, MessageTarget>;

/** One round trip, and one for the stream that the payload has. */
const onMessage: Pick<MessageCommand, 'prepare' | 'payload' | 'target'> = {
  prepare: ({ id }, env) => ({ id: env.parseDid(id, ['chatMessage'], 'id').id }),
  payload: ({ id }, _, { content_id: stream }) => ({ chatMessage: id, stream }),
  target: MESSAGE_TARGET,
};

/** Publishes a message that is held for review. Idempotent. */
export const approveChatMessage: MessageCommand = {
  ...onMessage,
  policy: CHAT_MODERATION,
  writes: approveMessageWrites,
};

/** Deletes a message of the account or, as moderator, any message. */
export const deleteChatMessage: MessageCommand = {
  ...onMessage,
  payload: ({ id }, env, { content_id: stream }) => ({ id: env.did('chatMessage', id), stream }),
  policy: CHAT_MESSAGE_DELETION,
  writes: deleteMessageWrites,
};

/** Pins a message above its chat. Idempotent. */
export const pinChatMessage: MessageCommand = { ...onMessage, policy: CHAT_PIN, writes: pinMessageWrites };

/** Unpins a message. Idempotent. */
export const unpinChatMessage: MessageCommand = { ...onMessage, policy: CHAT_MODERATION, writes: unpinMessageWrites };

interface UpdateChatArgs {
  readonly id: string;
  readonly input: ChatInput & RevisionInput;
}

/** Updates who may write in a chat, and how fast. One round trip. RESOURCE_NOT_FOUND, UNAUTHORIZED, CONFLICT. */
export const updateChat: StatementCommand<UpdateChatArgs, ChatChange> = revised(
  { row: 'h', fields: CHAT_FIELDS, changes: ({ changes }) => changes },
  {
    prepare: ({ id, input: { ifRevision = null, ...input } }, env) => ({
      ...readContentId(env, id, 'id'),
      ...{ changes: readChanges(CHAT_FIELDS, input), ifRevision },
    }),
    payload: ({ id }) => id,
    target: CHAT_TARGET,
    policy: CHAT_CHANGE,
    writes: updateChatWrites,
  },
);
