import type { ArgBuilder, EntityRef, FieldFactory, Graph } from '../../../gql/index.ts';
import { CHANGES_HELP, changeInputFields, ifRevisionField } from '../../../gql/index.ts';
import { deletions } from '../../../kernel/key-budgets.ts';
import { CHANNEL_CHANGE } from '../../channels/index.ts';
import { CHAT_WRITING, MESSAGES_A_MINUTE } from './chat.policy.ts';
import {
  approveChatMessage,
  deleteChatMessage,
  pinChatMessage,
  unpinChatMessage,
  updateChat,
} from './chat-commands.ts';
import { CHAT_FIELDS } from './chat-fields.ts';
import { createChatMessage, MAX_MESSAGE } from './create-chat-message.ts';
import { MAX_TIMEOUT_MS, timeOutUser } from './time-out-user.ts';

interface Types {
  readonly Stream: EntityRef;
  readonly Person: EntityRef;
  readonly ChatMessage: EntityRef;
}

/** Declares writing in a chat, and its moderation. */
export function declareChatMutations(graph: Graph, types: Types): void {
  declareWriting(graph, types);
  declareReview(graph, types);
  declareSettings(graph, types);
  declareTimeouts(graph, types);
}

const id = (t: ArgBuilder) => ({ id: t.field({ type: 'DID', required: true, description: 'Id of the message.' }) });

function declareWriting(graph: Graph, { Stream, ChatMessage }: Types): void {
  const CreateChatMessageInput = graph.builder.inputType('CreateChatMessageInput', {
    description: 'A new message in a chat.',
    fields: (t) => ({
      stream: t.field({ type: 'DID', required: true, description: 'Id of a stream whose chat is open.' }),
      body: t.string({
        required: true,
        description: `The text, one line of 1 to ${MAX_MESSAGE} characters; markup is not interpreted.`,
      }),
    }),
  });
  graph.mutation('createChatMessage', {
    access: 'comment:create',
    policies: [CHAT_WRITING],
    description:
      `Writes a message in the chat of a stream, at most ${MESSAGES_A_MINUTE} a minute. It may be HELD for review: ` +
      'see status.',
    payload: (f) => ({ chatMessage: f.read({ type: ChatMessage, description: 'The message.' }) }),
    args: (t) => ({
      input: t.field({ type: CreateChatMessageInput, required: true, description: 'The message.' }),
    }),
    command: (context, args) => createChatMessage(context, args),
  });
  graph.mutation('deleteChatMessage', {
    access: 'comment:create',
    charges: () => deletions(1),
    description: 'Deletes a message of yours, or any message in a channel that you moderate, for all readers.',
    payload: (f) => ({
      id: f.value({ type: 'DID', description: 'Id of the message.' }),
      stream: f.read({ type: Stream, description: 'The stream.' }),
    }),
    args: id,
    statement: deleteChatMessage,
  });
}

function declareReview(graph: Graph, { Stream, ChatMessage }: Types): void {
  const payload = (f: FieldFactory) => ({
    chatMessage: f.read({ type: ChatMessage, description: 'The message.' }),
    stream: f.read({ type: Stream, description: 'The stream.' }),
  });
  graph.mutation('approveChatMessage', {
    access: 'comment:moderate',
    description: 'Publishes a message that is held for review. Idempotent.',
    payload,
    args: id,
    statement: approveChatMessage,
  });
  graph.mutation('pinChatMessage', {
    access: 'comment:moderate',
    description: 'Pins a message above its chat, in place of the one that was pinned. Idempotent.',
    payload,
    args: id,
    statement: pinChatMessage,
  });
  graph.mutation('unpinChatMessage', {
    access: 'comment:moderate',
    description: 'Unpins a message. Idempotent.',
    payload,
    args: id,
    statement: unpinChatMessage,
  });
}

function declareSettings(graph: Graph, { Stream }: Types): void {
  const UpdateChatInput = graph.builder.inputType('UpdateChatInput', {
    description: `Changes to a chat. ${CHANGES_HELP}`,
    fields: (t) => ({ ...changeInputFields(t, CHAT_FIELDS), ifRevision: ifRevisionField(t, 'the chat') }),
  });
  graph.mutation('updateChat', {
    access: 'comment:moderate',
    description:
      'Changes who may write in the chat of a stream, and how fast. What holds comments for review ' +
      '(updateModeration) also holds messages.',
    payload: (f) => ({ stream: f.read({ type: Stream, description: 'The stream.' }) }),
    args: (t: ArgBuilder) => ({
      id: t.field({ type: 'DID', required: true, description: 'Id of the stream.' }),
      input: t.field({ type: UpdateChatInput, required: true, description: 'The changes.' }),
    }),
    statement: updateChat,
  });
}

function declareTimeouts(graph: Graph, { Person }: Types): void {
  const TimeOutUserInput = graph.builder.inputType('TimeOutUserInput', {
    description: 'An account, for how long it cannot write, and what becomes of its messages.',
    fields: (t) => ({
      username: t.string({ required: true, description: 'Username of the account.' }),
      durationMs: t.int({
        required: true,
        description:
          `For how long, 0 to ${MAX_TIMEOUT_MS.toLocaleString('en')} milliseconds (14 days) from now; with 0 it may ` +
          'write again.',
      }),
      deleteMessages: t.boolean({
        required: true,
        defaultValue: false,
        description: 'Whether to delete all its messages in chats of the channel.',
      }),
    }),
  });
  graph.mutation('timeOutUser', {
    access: 'comment:moderate',
    policies: [CHANNEL_CHANGE],
    description:
      'Keeps an account from writing in the chats of a channel for a while, in place of an earlier timeout. ' +
      'blockUser keeps it out for good.',
    payload: (f) => ({
      user: f.read({ type: Person, description: 'The account.' }),
      endsAt: f.value({ type: 'DateTime', nullable: true, description: 'When it may write again; null for now.' }),
      deletedMessages: f.value({ type: 'Int', description: 'Number of its messages that were deleted.' }),
    }),
    args: (t) => ({
      id: t.field({ type: 'DID', required: true, description: 'Id of a channel that you moderate.' }),
      input: t.field({ type: TimeOutUserInput, required: true, description: 'The account.' }),
    }),
    command: (context, args) => timeOutUser(context, args),
  });
}
