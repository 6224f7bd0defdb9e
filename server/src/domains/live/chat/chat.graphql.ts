import {
  type EntityRef,
  type Graph,
  outputFields,
  type RequestEnv,
  type RowScope,
  revisionField,
} from '../../../gql/index.ts';
import { chatKeyOf, isOpenContent, type MediaPermission, mediaPermission, playableVideo } from '../../assets/index.ts';
import type { SocialEnums } from '../../social/index.ts';
import { CHAT_FIELDS, CHAT_MODES } from './chat-fields.ts';
import {
  countMessages,
  heldForOf,
  isByMember,
  isListed,
  isVisibleMessage,
  keptRangesOfStream,
  moderatesChat,
} from './chat-message.sql.ts';
import { declareChatMutations } from './chat-mutations.graphql.ts';
import { type KeptRange, playedPosition } from './chat-positions.ts';
import { chatKey } from './serve-chat.ts';

interface Types {
  readonly Node: EntityRef;
  readonly Stream: EntityRef;
  readonly Person: EntityRef;
  readonly Report: EntityRef;
  readonly enums: SocialEnums;
}

/** Declares the chat of a stream. */
export function declareChat(graph: Graph, types: Types): EntityRef {
  const Status = declareEnums(graph);
  const ChatMessage = declareChatMessage(graph, types, Status);
  const Chat = declareChatOfStream(graph, ChatMessage);
  graph.extend(types.Stream, (f) => ({
    chat: f.one({
      type: Chat,
      nullable: true,
      description: 'Its chat; null for a stream that was uploaded.',
      on: (child, s) => `${child}.id = ${s.t}.id`,
    }),
  }));
  graph.extend(types.Report, (f) => ({
    chatMessage: f.one({
      type: ChatMessage,
      nullable: true,
      description:
        'The reported message; null if the report is about something else, or the viewer may no longer see it.',
      on: (child, s) => `${child}.id = ${s.t}.chat_message_id and ${isVisibleMessage(child, s)}`,
    }),
  }));
  declareChatMutations(graph, { ...types, ChatMessage });
  return ChatMessage;
}

function declareEnums({ builder }: Graph) {
  builder.enumType('ChatMode', {
    description: 'Who may write in a chat.',
    values: {
      EVERYONE: { description: CHAT_MODES.EVERYONE },
      FOLLOWERS: { description: CHAT_MODES.FOLLOWERS },
      MEMBERS: { description: CHAT_MODES.MEMBERS },
      NOBODY: { description: CHAT_MODES.NOBODY },
    } as const,
  });
  return builder.enumType('ChatMessageStatus', {
    description: 'Visibility of a message in a chat.',
    values: {
      PUBLISHED: { description: 'Everyone who may watch the stream.' },
      HELD: { description: 'Its author and the moderators: it is held for review.' },
    } as const,
  });
}

function declareChatMessage(
  graph: Graph,
  { Node, Stream, Person, enums }: Types,
  Status: ReturnType<typeof declareEnums>,
): EntityRef {
  return graph.entity('ChatMessage', {
    description: 'A message in the chat of a stream. Its text is plain text: never render it as markup.',
    table: 'chat_messages',
    interfaces: [Node],
    node: { kinds: ['chatMessage'], where: isVisibleMessage },
    fields: (f) => ({
      id: f.column({
        type: 'DID',
        description: 'Id of the message.',
        sql: (s) => `${s.t}.id`,
        read: ([id]: [string], env) => env.did('chatMessage', id),
      }),
      stream: f.one({
        type: Stream,
        description: 'The stream.',
        on: (child, s) => `${child}.id = ${s.t}.content_id`,
      }),
      author: f.one({
        type: Person,
        description: 'The author.',
        on: (child, s) => `${child}.id = ${s.t}.account_id`,
      }),
      isByMember: f.column({
        type: 'Boolean',
        description: 'Whether its author is a member of the channel.',
        sql: (s) => isByMember(s.t),
      }),
      body: f.column({ type: 'String', description: 'The text.', sql: (s) => `${s.t}.body` }),
      status: f.column({ type: Status, description: 'Who sees it.', sql: (s) => `${s.t}.status` }),
      heldFor: f.column({
        type: enums.HoldReason,
        nullable: true,
        description: 'Why it is held for review; null where it is not, and for those who do not moderate the channel.',
        sql: (s) => heldForOf(s.t, s),
      }),
      positionMs: f.column({
        type: 'Int',
        nullable: true,
        description:
          'Where it is in the recording, as it is played now, in milliseconds. Null before the broadcast has ended, ' +
          'and where that moment was not kept.',
        sql: (s) => [`${s.t}.position_ms`, keptRangesOfStream(`${s.t}.content_id`)],
        read: ([position, kept]: [number | null, readonly KeptRange[] | null]) => playedPosition(position, kept),
      }),
      createdAt: f.column({ type: 'DateTime', description: 'When it was written.', sql: (s) => `${s.t}.created_at` }),
    }),
  });
}

function declareChatOfStream(graph: Graph, ChatMessage: EntityRef): EntityRef {
  const of = (child: string, s: RowScope) => `${child}.content_id = ${s.t}.id`;
  return graph.entity('Chat', {
    description:
      'The chat of a stream. Messages are written from its schedule until its broadcast ends, and stay with the ' +
      'recording.',
    table: 'chats',
    fields: (f) => ({
      ...outputFields(f, CHAT_FIELDS),
      isOpen: f.column({
        type: 'Boolean',
        description: 'Whether messages can be written: until the broadcast ends, or is canceled.',
        sql: (s) => `${s.t}.is_open`,
      }),
      url: f.column({
        type: 'URL',
        description:
          'Address of the chat as JSON, as players load it (see the guide "Go live"): what is new after a version, ' +
          'once there is something, and the messages of a minute of the recording.',
        sql: chatAddressColumns,
        read: chatAddress,
      }),
      pinnedMessage: f.one({
        type: ChatMessage,
        nullable: true,
        description: 'The message that is pinned above it.',
        on: (child, s) => `${child}.id = ${s.t}.pinned_id and ${isListed(child)}`,
      }),
      messages: f.connection({
        type: ChatMessage,
        description: 'Its messages, newest first.',
        where: (child, s) => `${of(child, s)} and ${isListed(child)}`,
        order: (child) => [`${child}.created_at`, `${child}.id`],
        total: (s) => countMessages(`${s.t}.id`, isListed),
      }),
      heldMessages: f.connection({
        type: ChatMessage,
        nullable: true,
        description: 'Messages that are held for review, oldest first; null unless the viewer moderates the channel.',
        where: (child, s) => `${of(child, s)} and ${child}.status = 'HELD'`,
        order: { by: (child) => [`${child}.created_at`, `${child}.id`], direction: 'asc' },
        total: (s) => countMessages(`${s.t}.id`, (m) => `${m}.status = 'HELD'`),
        visibleIf: (s) => moderatesChat(`${s.t}.id`, s),
      }),
      revision: revisionField(f),
    }),
  });
}

function chatAddressColumns(s: RowScope): [string, string, string] {
  return [`${s.t}.id`, playableVideo(`${s.t}.id`), mediaPermission(`${s.t}.id`, s, isOpenContent(`${s.t}.id`))];
}

function chatAddress([contentId, videoAssetId, permission]: [string, string | null, MediaPermission], env: RequestEnv) {
  const key = videoAssetId === null ? chatKeyOf(contentId) : chatKey(contentId, videoAssetId);
  return env.services.assets.mediaAddress(key, permission, env.nowMs);
}
