import type { ArgBuilder, EntityRef, Graph } from '../../../gql/index.ts';
import { CONTENT_DID_KINDS } from '../../../kernel/content-kinds.ts';
import type { EventType as Type } from '../../../kernel/event-types.ts';
import { isVisibleContent, readContentId } from '../../catalog/index.ts';
import { isMember, mayInChannel } from '../../channels/index.ts';
import { isVisibleMessage } from '../../live/index.ts';
import { isVisibleComment } from '../../social/index.ts';
import type { EventTypeRef } from '../events/event-types.ts';
import { type About, followLog, followOne } from './follow-sources.ts';

interface Types {
  readonly Content: EntityRef;
  readonly TranscodeJob: EntityRef;
  readonly Comment: EntityRef;
  readonly ChatMessage: EntityRef;
  readonly Event: EntityRef;
  readonly EventType: EventTypeRef;
}

const CONTENT_EVENTS: readonly Type[] = [
  'content.updated',
  'content.published',
  'content.unpublished',
  'content.deleted',
  'content.restored',
  'content.purged',
  'asset.arriving',
  'asset.playable',
  'asset.ready',
  'asset.failed',
  'asset.renditions_added',
  'asset.original_deleted',
  'captions.updated',
  'image.ready',
];
const JOB_EVENTS: readonly Type[] = ['job.updated', 'asset.ready', 'asset.failed'];
const COMMENT_EVENTS: About = {
  types: ['comment.created', 'comment.updated'],
  field: 'contentId',
  startsWithState: false,
  only: ({ showsText }) => showsText,
};
const CHAT_EVENTS: About = {
  ...COMMENT_EVENTS,
  types: ['chat_message.created', 'chat_message.updated'],
  field: 'id',
};
const RESUME =
  'Continue after this event: its cursor, or the id of the last message. The header Last-Event-ID does the same.';

/** Declares the subscriptions. */
export function declareSubscriptions(graph: Graph, types: Types): void {
  declareState(graph, types);
  declareTexts(graph, types);
  declareLog(graph, types);
}

const after = (t: ArgBuilder) => t.string({ description: RESUME });

function declareState(graph: Graph, { Content, TranscodeJob }: Types): void {
  graph.subscription('jobUpdated', {
    access: 'content:read',
    payload: TranscodeJob,
    description:
      'A processing job of a channel the caller is a member of: its ' +
      'current state at once, then again whenever it is queued or ends.',
    args: (t: ArgBuilder) => ({
      id: t.field({ type: 'DID', required: true, description: 'Id of the job.' }),
      after: after(t),
    }),
    source: (context, args) => {
      const { id } = context.parseDid(args.id, ['job'], 'id');
      return followOne(context, { kind: 'job', id }, args.after, { types: JOB_EVENTS });
    },
    on: (child, s, args) => `${child}.id = ${args.id('id', ['job'])} and ${isMember(s, `${child}.channel_id`)}`,
    missing: { field: 'id' },
  });
  graph.subscription('contentUpdated', {
    access: 'content:read',
    payload: Content,
    description:
      'A content that the caller may see: its current state at once, ' +
      'then again whenever it, its video, captions or images change.',
    args: (t: ArgBuilder) => ({
      id: t.field({ type: 'DID', required: true, description: 'Id of the content.' }),
      after: after(t),
    }),
    source: (context, args) =>
      followOne(context, readContentId(context, args.id, 'id'), args.after, { types: CONTENT_EVENTS }),
    on: (child, s, args) => `${child}.id = ${args.id('id', CONTENT_DID_KINDS)} and ${isVisibleContent(child, s)}`,
    missing: { field: 'id' },
  });
}

function declareTexts(graph: Graph, { Comment, ChatMessage }: Types): void {
  graph.subscription('commentAdded', {
    access: 'comment:read',
    payload: Comment,
    description:
      'New comments on a content that the caller may see, including ' +
      'replies. Comments held for review follow once they are approved.',
    args: (t: ArgBuilder) => ({
      contentId: t.field({ type: 'DID', required: true, description: 'Id of the content.' }),
      after: after(t),
    }),
    source: (context, args) =>
      followOne(context, readContentId(context, args.contentId, 'contentId'), args.after, COMMENT_EVENTS),
    on: (child, s, args) =>
      `${child}.id = ${s.param((env) => env.item.subject, 'uuid')} and ${child}.content_id = ` +
      `${args.id('contentId', CONTENT_DID_KINDS)} and ${isVisibleComment(child, s)}`,
    missing: 'skip',
  });
  graph.subscription('chatMessageAdded', {
    access: 'comment:read',
    payload: ChatMessage,
    description:
      'New messages in the chat of a stream that the caller may see. Messages held for review follow once they are ' +
      'approved. Players load Chat.url instead, which costs less.',
    args: (t: ArgBuilder) => ({
      id: t.field({ type: 'DID', required: true, description: 'Id of the stream.' }),
      after: after(t),
    }),
    source: (context, args) => followOne(context, readContentId(context, args.id, 'id'), args.after, CHAT_EVENTS),
    on: (child, s, args) =>
      `${child}.id = ${s.param((env) => env.item.subject, 'uuid')} and ${child}.content_id = ` +
      `${args.id('id', ['stream'])} and ${isVisibleMessage(child, s)}`,
    missing: 'skip',
  });
}

function declareLog(graph: Graph, { Event, EventType }: Types): void {
  graph.subscription('eventsAfter', {
    access: 'event:read',
    payload: Event,
    description:
      'The event log of the channels that the caller is a member of, from a position on: past events since then, ' +
      'then new ones. No event is skipped and none is repeated, also after lost connections.',
    args: (t: ArgBuilder) => ({
      cursor: t.string({ description: `${RESUME} Only new events if omitted.` }),
      types: t.field({ type: [EventType], description: 'Only events of these types.' }),
      channel: t.field({ type: 'DID', description: 'Only events of this channel.' }),
    }),
    source: (context, args) => followLog(context, args),
    on: (child, s) =>
      `${child}.id = ${s.param((env) => env.item.event, 'bigint')} ` +
      `and ${mayInChannel(s, `${child}.channel_id`, 'event:read')}`,
    missing: 'skip',
  });
}
