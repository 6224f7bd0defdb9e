import { assignments, type BasedOn, type CommandScope, type CommandTarget } from '../../../gql/index.ts';
import { type ContentTarget, contentTarget } from '../../catalog/index.ts';
import { mayInChannel } from '../../channels/index.ts';
import { CHAT_FIELDS, type ChatChanges } from './chat-fields.ts';
import { isVisibleMessage } from './chat-message.sql.ts';
import { nextVersion } from './chat-messages.store.ts';

type Writes = Readonly<Record<string, string>>;

/** Input common to all commands on a message. */
export interface MessageTarget {
  readonly id: string;
}

/** The message as the viewer sees it. */
export const MESSAGE_TARGET: CommandTarget<MessageTarget> = {
  field: 'id',
  from: (s) => `join chat_messages x on x.id = ${s.value(({ id }) => id, 'uuid')} and x.status <> 'DELETED'`,
  columns: (s) => ({
    id: 'x.id',
    content_id: 'x.content_id',
    visible: isVisibleMessage('x', s),
    author: `x.account_id is not distinct from ${s.viewer}.account_id`,
    moderator: mayInChannel(s, 'x.channel_id', 'comment:moderate'),
    published: `x.status = 'PUBLISHED'`,
  }),
  payloadColumns: ['content_id'],
};

/** Publishes a message that is held. */
export function approveMessageWrites(): Writes {
  return {
    room: nextVersion('permitted t', 'not t.published'),
    changed: `
    update chat_messages m set status = 'PUBLISHED', held_for = null, version = room.version
    from permitted t join room on room.content_id = t.content_id where m.id = t.id and m.status = 'HELD'
    returning m.*`,
    event: `insert into events (type, channel_id, subject_id, payload)
    select 'chat_message.updated', channel_id, id,
      jsonb_build_object('contentId', content_id, 'status', status, 'approved', true)
    from changed`,
  };
}

/** Deletes a message, which is unpinned. */
export function deleteMessageWrites(): Writes {
  return {
    room: `update chats h set version = h.version + 1, pinned_id = nullif(h.pinned_id, t.id) from permitted t
      where h.id = t.content_id returning h.id as content_id, h.version`,
    changed: `
    update chat_messages m set status = 'DELETED', held_for = null, body = '', version = room.version
    from permitted t join room on room.content_id = t.content_id where m.id = t.id and m.status <> 'DELETED'
    returning m.*`,
    event: `insert into events (type, channel_id, subject_id, payload)
    select 'chat_message.deleted', channel_id, id, jsonb_build_object('contentId', content_id) from changed`,
  };
}

/** Pins a message in place of the one that is pinned. */
export function pinMessageWrites(): Writes {
  return {
    room: `update chats h set pinned_id = t.id from permitted t
      where h.id = t.content_id and h.pinned_id is distinct from t.id returning h.id`,
  };
}

/** Unpins a message. */
export function unpinMessageWrites(): Writes {
  return {
    room: `update chats h set pinned_id = null from permitted t
      where h.id = t.content_id and h.pinned_id = t.id returning h.id`,
  };
}

/** Parsed input of updateChat. */
export interface ChatChange extends ContentTarget, BasedOn {
  readonly changes: ChatChanges;
}

/** The chat of a stream, as `h`. */
export const CHAT_TARGET = contentTarget<ChatChange>('comment:moderate', 'id', {
  ...{ join: 'join chats h on h.id = c.id', locked: 'h' },
});

/** Changes who may write in a chat, and how fast. */
export function updateChatWrites(s: CommandScope<ChatChange>): Writes {
  return {
    changed: `
    update chats h set ${assignments(s, CHAT_FIELDS, 'h', ({ changes }) => changes)},
      updated_at = ${s.now}
    from permitted t where h.id = t.id returning h.*`,
  };
}
