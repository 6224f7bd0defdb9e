import {
  type ArgBuilder,
  type ArgScope,
  CHANGES_HELP,
  changeInputFields,
  countRows,
  type EntityRef,
  type Graph,
  ifRevisionField,
  newInputFields,
  outputFields,
  revisionField,
} from '../../../gql/index.ts';
import { deletions } from '../../../kernel/key-budgets.ts';
import { CHANNEL_CHANGE, mayInChannel } from '../../channels/index.ts';
import {
  createLiveInput,
  deleteLiveInput,
  LIVE_INPUT_CHANGE,
  rotateLiveInputKey,
  updateLiveInput,
} from './live-input-commands.ts';
import { LIVE_INPUT_FIELDS } from './live-input-fields.ts';
import { MAX_LIVE_INPUTS } from './live-limits.ts';
import { openPassphrase, openStreamKey } from './stream-key.ts';

interface Types {
  readonly Node: EntityRef;
  readonly Channel: EntityRef;
}

/** Declares live inputs, to which encoders publish. */
export function declareLiveInputs(graph: Graph, types: Types): EntityRef {
  declareChoices(graph);
  const LiveInput = declareLiveInput(graph, types);
  const channelOf = (s: ArgScope) => (s.given('channel') ? s.id('channel', ['channel']) : null);
  graph.queryConnection('liveInputs', {
    access: 'live:manage',
    type: LiveInput,
    nullable: true,
    denied: { field: 'channel' },
    description: `The live inputs of a channel, newest first; at most ${MAX_LIVE_INPUTS}.`,
    args: (t) => ({
      channel: t.field({ type: 'DID', description: "Id of the channel; default: the account's own channel." }),
    }),
    where: (child, s, args) => `${child}.channel_id = ${channelOf(args) ?? `${s.viewer}.channel_id`}`,
    visibleIf: (s, args) => mayInChannel(s, channelOf(args) ?? `${s.viewer}.channel_id`, 'live:manage'),
    order: (child) => [`${child}.created_at`, `${child}.id`],
    total: (s, args) =>
      countRows('live_inputs', (row) => `${row}.channel_id = ${channelOf(args) ?? `${s.viewer}.channel_id`}`),
  });
  declareMutations(graph, LiveInput, types.Channel);
  return LiveInput;
}

function declareChoices(graph: Graph): void {
  graph.builder.enumType('LiveLatency', {
    description: 'How far viewers are behind the encoder.',
    values: {
      LOW: { description: 'About two seconds, with players that support Low-Latency HLS; others play as with NORMAL.' },
      NORMAL: { description: 'Five to ten seconds; fewer requests.' },
    } as const,
  });
  graph.builder.enumType('LiveStart', {
    description: 'How broadcasts begin.',
    values: {
      AUTOMATIC: { description: 'With the first segment of the encoder.' },
      MANUAL: {
        description: 'With startBroadcast. Before, only members see what the encoder sends, and nothing is recorded.',
      },
    } as const,
  });
  graph.builder.enumType('LiveRecording', {
    description: 'What is kept of a broadcast.',
    values: {
      ALL: { description: 'All of it: it becomes a video, and viewers can rewind to its beginning.' },
      ROLLING: { description: 'The last 30 minutes, which is also how far viewers can rewind.' },
      NONE: { description: 'Nothing: its stream becomes a draft without a video. Viewers can rewind 30 minutes.' },
    } as const,
  });
}

function declareLiveInput(graph: Graph, { Node, Channel }: Types): EntityRef {
  const LiveIngest = graph.object('LiveIngest', {
    description: 'Addresses for encoders. The stream key is apart from them, as encoders ask for both.',
    fields: (f) => ({
      rtmp: f.value({
        type: 'URL',
        nullable: true,
        description: 'Address for RTMP; null while this server does not receive RTMP.',
      }),
      rtmps: f.value({
        type: 'URL',
        nullable: true,
        description: 'Address for RTMPS, which is encrypted; null while this server does not receive RTMPS.',
      }),
      srt: f.value({
        type: 'URL',
        nullable: true,
        description:
          'Address for SRT, which takes srtPassphrase instead of the stream key; null unless the live input receives ' +
          'SRT (LiveInput.srt), and while this server does not.',
      }),
      whip: f.value({
        type: 'URL',
        nullable: true,
        description:
          'Address for WHIP (RFC 9725), by which browsers and others send WebRTC, with the stream key as the bearer ' +
          'token; null while this server does not receive WHIP.',
      }),
    }),
  });
  return graph.entity('LiveInput', {
    description: 'Where an encoder publishes to: each time one does, it makes a stream of the channel.',
    table: 'live_inputs',
    interfaces: [Node],
    node: { kinds: ['liveInput'], where: (child, s) => mayInChannel(s, `${child}.channel_id`, 'live:manage') },
    fields: (f) => ({
      id: f.column({
        type: 'DID',
        description: 'Id of the live input.',
        sql: (s) => `${s.t}.id`,
        read: ([id]: [string], env) => env.did('liveInput', id),
      }),
      channel: f.one({
        type: Channel,
        description: 'The channel whose streams it makes.',
        on: (child, s) => `${child}.id = ${s.t}.channel_id`,
      }),
      ...outputFields(f, LIVE_INPUT_FIELDS),
      revision: revisionField(f),
      streamKey: f.column({
        type: 'String',
        secret: true,
        description:
          'The stream key for RTMP, RTMPS and WHIP: whoever has it can broadcast. rotateLiveInputKey replaces it.',
        sql: (s) => `encode(${s.t}.stream_key, 'hex')`,
        read: ([sealed]: [string], env) => openStreamKey(env.services.live.secrets, Buffer.from(sealed, 'hex')),
      }),
      srtPassphrase: f.column({
        type: 'String',
        nullable: true,
        secret: true,
        description:
          'The passphrase for SRT, in place of a stream key: whoever has it can broadcast. rotateLiveInputKey ' +
          'replaces it; null unless the live input receives SRT.',
        sql: (s) => `encode(${s.t}.srt_passphrase, 'hex')`,
        read: ([sealed]: [string | null], env) =>
          sealed === null ? null : openPassphrase(env.services.live.secrets, Buffer.from(sealed, 'hex')),
      }),
      ingest: f.column({
        type: LiveIngest,
        description: 'Addresses for encoders.',
        sql: (s) => `${s.t}.srt_port`,
        read: ([srtPort]: [number | null], { services: { live } }) => ({
          rtmp: live.rtmpAddress(),
          rtmps: live.rtmpsAddress(),
          srt: srtPort === null ? null : live.srtAddress(srtPort),
          whip: live.whipAddress(),
        }),
      }),
      createdAt: f.column({ type: 'DateTime', description: 'When it was created.', sql: (s) => `${s.t}.created_at` }),
    }),
  });
}

function declareMutations(graph: Graph, LiveInput: EntityRef, Channel: EntityRef): void {
  const CreateLiveInputInput = graph.builder.inputType('CreateLiveInputInput', {
    description: 'A new live input.',
    fields: (t) => ({
      channel: t.field({ type: 'DID', description: "Id of the channel; default: the account's own channel." }),
      ...newInputFields(t, LIVE_INPUT_FIELDS),
    }),
  });
  const UpdateLiveInputInput = graph.builder.inputType('UpdateLiveInputInput', {
    description: `Changes to a live input, for its next broadcast. ${CHANGES_HELP}`,
    fields: (t) => ({ ...changeInputFields(t, LIVE_INPUT_FIELDS), ifRevision: ifRevisionField(t, 'the live input') }),
  });
  graph.mutation('createLiveInput', {
    access: 'live:manage',
    policies: [CHANNEL_CHANGE],
    description: `Creates a live input with its stream key. A channel has at most ${MAX_LIVE_INPUTS}.`,
    payload: (f) => ({ liveInput: f.read({ type: LiveInput, description: 'The live input.' }) }),
    args: (t: ArgBuilder) => ({
      input: t.field({ type: CreateLiveInputInput, required: true, description: 'The live input.' }),
    }),
    command: (context, args) => createLiveInput(context, args),
  });
  graph.mutation('updateLiveInput', {
    access: 'live:manage',
    policies: [LIVE_INPUT_CHANGE],
    description:
      'Updates a live input. A broadcast that runs goes on as it began; one that comes by SRT loses its encoder when ' +
      'SRT is switched off.',
    payload: (f) => ({ liveInput: f.read({ type: LiveInput, description: 'The live input.' }) }),
    args: (t: ArgBuilder) => ({
      id: id(t),
      input: t.field({ type: UpdateLiveInputInput, required: true, description: 'The changes.' }),
    }),
    command: (context, args) => updateLiveInput(context, args),
  });
  graph.mutation('deleteLiveInput', {
    access: 'live:manage',
    policies: [LIVE_INPUT_CHANGE],
    charges: () => deletions(1),
    description: 'Deletes a live input. What it receives ends; the streams that it has made stay.',
    payload: (f) => ({
      id: f.value({ type: 'DID', description: 'Id of the live input.' }),
      channel: f.read({ type: Channel, description: 'The channel.' }),
    }),
    args: (t: ArgBuilder) => ({ id: id(t) }),
    command: (context, args) => deleteLiveInput(context, args),
  });
  graph.mutation('rotateLiveInputKey', {
    access: 'live:manage',
    policies: [LIVE_INPUT_CHANGE],
    description:
      'Replaces the stream key of a live input, and its passphrase for SRT: encoders that connect with the old one ' +
      'are refused at once. A broadcast that runs goes on.',
    payload: (f) => ({ liveInput: f.read({ type: LiveInput, description: 'The live input.' }) }),
    args: (t: ArgBuilder) => ({ id: id(t) }),
    command: (context, args) => rotateLiveInputKey(context, args),
  });
}

function id(t: ArgBuilder) {
  return t.field({ type: 'DID', required: true, description: 'Id of the live input.' });
}
