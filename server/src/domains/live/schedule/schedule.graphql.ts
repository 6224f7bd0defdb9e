import {
  type ArgBuilder,
  type ArgScope,
  changeInputFields,
  countRows,
  type EntityRef,
  enumField,
  type Graph,
  type ListScope,
  newInputFields,
} from '../../../gql/index.ts';
import { CONTENT_CHANGE } from '../../catalog/index.ts';
import { METADATA_FIELDS, mayInChannel } from '../../channels/index.ts';
import { LIVE_INPUT_CHANGE } from '../inputs/live-input-commands.ts';
import type { LiveVisibility } from '../inputs/live-input-fields.ts';
import { cancelStream, rescheduleStream } from './change-schedule.ts';
import { SCHEDULED_STREAMS } from './schedule.sql.ts';
import { EARLY_MS, LATE_MS, MAX_AHEAD_MS, MAX_SCHEDULED } from './schedule-limits.ts';
import { scheduleStream } from './schedule-stream.ts';

const EARLY = `${EARLY_MS / 60_000} minutes`;
const LATE = `${LATE_MS / 3_600_000} hours`;
const TIME = `When it is to begin: from now on, at most ${MAX_AHEAD_MS / 86_400_000} days ahead.`;

const VISIBILITY = enumField<LiveVisibility>({
  column: 'visibility',
  type: 'Visibility',
  description: 'Who sees the stream; default: as the live input says.',
});

/** Declares broadcasts that are scheduled. */
export function declareSchedule(graph: Graph, Stream: EntityRef): void {
  const channelOf = (s: Pick<ListScope, 'viewer'>, args: ArgScope) =>
    args.given('channel') ? args.id('channel', ['channel']) : `${s.viewer}.channel_id`;
  graph.queryConnection('scheduledStreams', {
    access: 'live:manage',
    type: Stream,
    nullable: true,
    denied: { field: 'channel' },
    description:
      'Streams of a channel that are scheduled and have not begun, next first; behind them those that were missed or ' +
      'canceled.',
    args: (t) => ({
      channel: t.field({ type: 'DID', description: "Id of the channel; default: the account's own channel." }),
    }),
    from: SCHEDULED_STREAMS,
    where: (child, s, args) => `${child}.channel_id = ${channelOf(s, args)}`,
    visibleIf: (s, args) => mayInChannel(s, channelOf(s, args), 'live:manage'),
    order: { by: (child) => [`${child}.upcoming_first`, `${child}.scheduled_at`, `${child}.id`], direction: 'asc' },
    total: (s, args) => countRows(SCHEDULED_STREAMS, (row) => `${row}.channel_id = ${channelOf(s, args)}`),
  });
  declareMutations(graph, Stream);
}

function declareMutations(graph: Graph, Stream: EntityRef): void {
  const ScheduleStreamInput = graph.builder.inputType('ScheduleStreamInput', {
    description: 'A broadcast that is scheduled.',
    fields: (t) => ({
      liveInput: t.field({ type: 'DID', required: true, description: 'Id of the live input that will receive it.' }),
      scheduledAt: t.field({ type: 'DateTime', required: true, description: TIME }),
      ...newInputFields(t, METADATA_FIELDS),
      ...changeInputFields(t, { visibility: VISIBILITY }),
    }),
  });
  const RescheduleStreamInput = graph.builder.inputType('RescheduleStreamInput', {
    description: 'Another time for a broadcast.',
    fields: (t) => ({
      scheduledAt: t.field({ type: 'DateTime', required: true, description: TIME }),
      liveInput: t.field({
        type: 'DID',
        description: 'Id of another live input of the channel; required where its own is deleted.',
      }),
    }),
  });
  const id = (t: ArgBuilder) => t.field({ type: 'DID', required: true, description: 'Id of the stream.' });
  graph.mutation('scheduleStream', {
    access: 'live:manage',
    policies: [LIVE_INPUT_CHANGE],
    description:
      'Schedules a broadcast. Its stream is published at once and shows when it begins. An encoder that connects to ' +
      `the live input from ${EARLY} before that time until ${LATE} after it begins the broadcast: of several, the ` +
      `one whose time is nearest. Otherwise it was missed, and the stream becomes a draft. At most ${MAX_SCHEDULED} ` +
      'of a live input.',
    payload: (f) => ({ stream: f.read({ type: Stream, description: 'The stream.' }) }),
    args: (t: ArgBuilder) => ({
      input: t.field({ type: ScheduleStreamInput, required: true, description: 'The broadcast.' }),
    }),
    command: (context, args) => scheduleStream(context, args),
  });
  graph.mutation('rescheduleStream', {
    access: 'live:manage',
    policies: [CONTENT_CHANGE],
    description:
      'Gives a scheduled broadcast another time. One that was missed or canceled is scheduled again, and its stream ' +
      'published. updateContent changes title, description and visibility.',
    payload: (f) => ({ stream: f.read({ type: Stream, description: 'The stream.' }) }),
    args: (t: ArgBuilder) => ({
      id: id(t),
      input: t.field({ type: RescheduleStreamInput, required: true, description: 'The time.' }),
    }),
    command: (context, args) => rescheduleStream(context, args),
  });
  graph.mutation('cancelStream', {
    access: 'live:manage',
    policies: [CONTENT_CHANGE],
    description:
      'Cancels a scheduled broadcast. Its stream becomes a draft, which rescheduleStream schedules again and ' +
      'deleteContent deletes.',
    payload: (f) => ({ stream: f.read({ type: Stream, description: 'The stream.' }) }),
    args: (t: ArgBuilder) => ({ id: id(t) }),
    command: (context, args) => cancelStream(context, args),
  });
}
