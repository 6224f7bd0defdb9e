import {
  type ArgBuilder,
  countRows,
  type EntityRef,
  type FieldFactory,
  type Graph,
  type RowScope,
} from '../../../gql/index.ts';
import { isVisibleContent } from '../../catalog/index.ts';
import { isVisibleComment } from '../comments/comment-visibility.sql.ts';
import { MAX_MARKED, markNotificationsRead, updateNotificationSettings } from './notification-commands.ts';
import { CHOSEN_KINDS, NOTIFICATION_KINDS, type NotificationKind } from './notification-kinds.ts';
import { isOwnNotification, MOST_COUNTED, settingsOf } from './notifications.sql.ts';

interface Types {
  readonly Node: EntityRef;
  readonly Me: EntityRef;
  readonly Content: EntityRef;
  readonly Comment: EntityRef;
  readonly ChannelInvitation: EntityRef;
}

/** Declares notifications, how an account wants to get them, and the mutations on both. */
export function declareNotifications(graph: Graph, types: Types): void {
  const Kind = declareKind(graph);
  const Notification = declareNotification(graph, types, Kind);
  graph.queryConnection('notifications', {
    access: 'account:read',
    type: Notification,
    description:
      'Notifications of the account, newest first, for 90 days: only about what it may still see. totalCount counts ' +
      `at most ${MOST_COUNTED.toLocaleString('en')}.`,
    where: isOwnNotification,
    order: (child) => [`${child}.created_at`, `${child}.id`],
    total: (s) => countRows('notifications', (row) => isOwnNotification(row, s), MOST_COUNTED),
  });
  declareSettings(graph, types, Kind);
  declareMutations(graph, Kind);
}

function declareKind({ builder }: Graph) {
  return builder.enumType('NotificationKind', {
    description: 'What a notification is about.',
    values: Object.fromEntries(
      Object.entries(NOTIFICATION_KINDS).map(([kind, description]) => [kind, { description }]),
    ) as Record<NotificationKind, { description: string }>, // fromEntries widens the keys
  });
}

type EnumRef = ReturnType<typeof declareKind>;

function declareNotification(
  graph: Graph,
  { Node, Content, Comment, ChannelInvitation }: Types,
  Kind: EnumRef,
): EntityRef {
  return graph.entity('Notification', {
    description: 'A notification of an account.',
    table: 'notifications',
    interfaces: [Node],
    node: { kinds: ['notification'], where: isOwnNotification },
    fields: (f) => ({
      id: f.column({
        type: 'DID',
        description: 'Id of the notification.',
        sql: (s) => `${s.t}.id`,
        read: ([id]: [string], env) => env.did('notification', id),
      }),
      kind: f.column({ type: Kind, description: 'What it is about.', sql: (s) => `${s.t}.kind` }),
      content: f.one({
        type: Content,
        nullable: true,
        description: 'The video it is about; null if the account may no longer see it, and for invitations.',
        on: (child, s) => `${child}.id = ${s.t}.content_id and ${isVisibleContent(child, s)}`,
      }),
      comment: f.one({
        type: Comment,
        nullable: true,
        description: 'The reply, or the comment that got a heart; null for other kinds.',
        on: (child, s) => `${child}.id = ${s.t}.comment_id and ${isVisibleComment(child, s)}`,
      }),
      invitation: f.one({
        type: ChannelInvitation,
        nullable: true,
        description: 'The invitation to a channel; null for other kinds.',
        on: (child, s) => `${child}.id = ${s.t}.invitation_id`,
      }),
      isRead: f.column({
        type: 'Boolean',
        description: 'Whether it was marked as read.',
        sql: (s) => `${s.t}.read_at is not null`,
      }),
      createdAt: f.column({ type: 'DateTime', description: 'When it was written.', sql: (s) => `${s.t}.created_at` }),
    }),
  });
}

function declareSettings(graph: Graph, { Me }: Types, Kind: EnumRef): void {
  const NotificationSetting = graph.object('NotificationSetting', {
    description: 'How an account gets one kind.',
    fields: (f) => ({
      kind: f.value({ type: Kind, description: 'The kind.' }),
      inPage: f.value({ type: 'Boolean', description: 'Whether it appears among the notifications; default true.' }),
      byMail: f.value({
        type: 'Boolean',
        description:
          'Whether it is sent by email, if the server sends mail; default false. Each message ends it by one click.',
      }),
    }),
  });
  const isUnread = (row: string, s: RowScope): string => `${row}.read_at is null and ${isOwnNotification(row, s)}`;
  graph.extend(Me, (f) => ({
    unreadNotificationCount: f.column({
      type: 'Int',
      description: `Number of notifications that were not marked as read; at most ${MOST_COUNTED}.`,
      sql: (s) => countRows('notifications', (row) => isUnread(row, s), MOST_COUNTED),
    }),
    notificationSettings: f.column({
      type: [NotificationSetting],
      description: 'One for each kind: how the account gets it.',
      sql: (s) => settingsOf(`${s.t}.account_id`, CHOSEN_KINDS),
    }),
  }));
}

function declareMutations(graph: Graph, Kind: EnumRef): void {
  const payload = (f: FieldFactory) => ({
    ok: f.value({ type: 'Boolean', description: 'Always true: the notifications are as requested.' }),
  });
  graph.mutation('markNotificationsRead', {
    access: 'account:update',
    description: 'Marks notifications of the account as read. Idempotent; unknown ones are ignored.',
    payload,
    args: (t: ArgBuilder) => ({
      ids: t.field({ type: ['DID'], description: `Ids of notifications, at most ${MAX_MARKED}; default: all.` }),
    }),
    statement: markNotificationsRead,
  });
  const UpdateNotificationSettingsInput = graph.builder.inputType('UpdateNotificationSettingsInput', {
    description: 'How the account wants to get one kind. An omitted field keeps its value.',
    fields: (t) => ({
      kind: t.field({ type: Kind, required: true, description: 'The kind.' }),
      inPage: t.boolean({ description: 'Whether it appears among the notifications.' }),
      byMail: t.boolean({ description: 'Whether it is sent by email.' }),
    }),
  });
  graph.mutation('updateNotificationSettings', {
    access: 'account:update',
    description: 'Changes how the account gets one kind of notification. CHANNEL_INVITATION has no choice.',
    payload,
    args: (t: ArgBuilder) => ({
      input: t.field({ type: UpdateNotificationSettingsInput, required: true, description: 'The choice.' }),
    }),
    statement: updateNotificationSettings,
  });
}
