import {
  type ArgBuilder,
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
import { localized } from '../../../kernel/languages/catalogs.ts';
import type { StoredText } from '../../../kernel/languages/message.ts';
import { errorTextOf } from '../../../platform/db/stored-text.ts';
import { mayInChannel } from '../../channels/index.ts';
import { LIVE_INPUT_CHANGE } from '../inputs/live-input-commands.ts';
import { MAX_SIMULCAST_TARGETS, MAX_SIMULCAST_TARGETS_OF_CHANNEL } from '../inputs/live-limits.ts';
import { channelOfTarget, simulcastStateOf } from './simulcast.sql.ts';
import { SIMULCAST_STATES, type SimulcastState } from './simulcast-states.ts';
import {
  createSimulcastTarget,
  deleteSimulcastTarget,
  SIMULCAST_TARGET_CHANGE,
  updateSimulcastTarget,
} from './simulcast-target-commands.ts';
import { SIMULCAST_TARGET_FIELDS, SIMULCAST_TARGET_INPUT } from './simulcast-target-fields.ts';

interface Types {
  readonly Node: EntityRef;
  readonly LiveInput: EntityRef;
}

/** Declares simulcast targets: other servers at which the broadcasts of a live input are published, too. */
export function declareSimulcast(graph: Graph, types: Types): void {
  const { LiveInput } = types;
  const SimulcastTarget = declareTarget(graph, types);
  graph.extend(LiveInput, (f) => ({
    simulcastTargets: f.connection({
      type: SimulcastTarget,
      description: `Other servers at which its broadcasts are published; at most ${MAX_SIMULCAST_TARGETS}.`,
      where: (child, s) => `${child}.input_id = ${s.t}.id`,
      order: { by: (child) => [`${child}.created_at`, `${child}.id`], direction: 'asc' },
      total: (s) => countRows('simulcast_targets', (row) => `${row}.input_id = ${s.t}.id`),
    }),
  }));
  declareMutations(graph, SimulcastTarget, LiveInput);
}

function declareTarget(graph: Graph, { Node, LiveInput }: Types): EntityRef {
  const values = Object.fromEntries(
    Object.entries(SIMULCAST_STATES).map(([name, description]) => [name, { description }]),
  ) as Record<SimulcastState, { description: string }>; // fromEntries widens the keys
  const State = graph.builder.enumType('SimulcastState', { description: 'State of a simulcast target.', values });
  return graph.entity('SimulcastTarget', {
    description:
      'Another server, by RTMP or RTMPS, at which the broadcasts of a live input are published as they come.',
    table: 'simulcast_targets',
    interfaces: [Node],
    node: { kinds: ['simulcastTarget'], where: (child, s) => mayInChannel(s, channelOfTarget(child), 'live:manage') },
    fields: (f) => ({
      id: f.column({
        type: 'DID',
        description: 'Id of the simulcast target.',
        sql: (s) => `${s.t}.id`,
        read: ([id]: [string], env) => env.did('simulcastTarget', id),
      }),
      liveInput: f.one({
        type: LiveInput,
        description: 'The live input whose broadcasts are published there.',
        on: (child, s) => `${child}.id = ${s.t}.input_id`,
      }),
      ...outputFields(f, SIMULCAST_TARGET_FIELDS),
      revision: revisionField(f),
      state: f.column({ type: State, description: 'Its state.', sql: (s) => simulcastStateOf(s.t) }),
      error: f.column({
        type: 'String',
        nullable: true,
        description:
          'Why the last attempt failed, or that the server is too slow and pictures are left out; null where nothing ' +
          'was wrong.',
        sql: (s) => errorTextOf(s.t),
        read: ([text]: [StoredText | null], env) => (text === null ? null : localized(text, env.language)),
      }),
      createdAt: f.column({ type: 'DateTime', description: 'When it was created.', sql: (s) => `${s.t}.created_at` }),
    }),
  });
}

function declareMutations(graph: Graph, SimulcastTarget: EntityRef, LiveInput: EntityRef): void {
  const CreateSimulcastTargetInput = graph.builder.inputType('CreateSimulcastTargetInput', {
    description: 'A new simulcast target.',
    fields: (t) => ({
      liveInput: t.field({ type: 'DID', required: true, description: 'Id of the live input.' }),
      ...newInputFields(t, SIMULCAST_TARGET_INPUT),
    }),
  });
  const UpdateSimulcastTargetInput = graph.builder.inputType('UpdateSimulcastTargetInput', {
    description: `Changes to a simulcast target. ${CHANGES_HELP}`,
    fields: (t) => ({
      ...changeInputFields(t, SIMULCAST_TARGET_INPUT),
      ifRevision: ifRevisionField(t, 'the simulcast target'),
    }),
  });
  graph.mutation('createSimulcastTarget', {
    access: 'live:manage',
    policies: [LIVE_INPUT_CHANGE],
    description:
      'Has the broadcasts of a live input published at another server, too. One that is live is published there ' +
      `within two seconds and with the next keyframe. A live input has at most ${MAX_SIMULCAST_TARGETS} targets, and ` +
      `all of a channel ${MAX_SIMULCAST_TARGETS_OF_CHANNEL}.`,
    payload: (f) => ({ simulcastTarget: f.read({ type: SimulcastTarget, description: 'The simulcast target.' }) }),
    args: (t: ArgBuilder) => ({
      input: t.field({ type: CreateSimulcastTargetInput, required: true, description: 'The simulcast target.' }),
    }),
    command: (context, args) => createSimulcastTarget(context, args),
  });
  graph.mutation('updateSimulcastTarget', {
    access: 'live:manage',
    policies: [SIMULCAST_TARGET_CHANGE],
    description:
      'Updates a simulcast target, or switches it on or off. That takes effect within two seconds, also while the ' +
      'live input is live.',
    payload: (f) => ({ simulcastTarget: f.read({ type: SimulcastTarget, description: 'The simulcast target.' }) }),
    args: (t: ArgBuilder) => ({
      id: id(t),
      input: t.field({ type: UpdateSimulcastTargetInput, required: true, description: 'The changes.' }),
    }),
    command: (context, args) => updateSimulcastTarget(context, args),
  });
  graph.mutation('deleteSimulcastTarget', {
    access: 'live:manage',
    policies: [SIMULCAST_TARGET_CHANGE],
    charges: () => deletions(1),
    description: 'Deletes a simulcast target. What is published there ends.',
    payload: (f) => ({
      id: f.value({ type: 'DID', description: 'Id of the simulcast target.' }),
      liveInput: f.read({ type: LiveInput, description: 'The live input.' }),
    }),
    args: (t: ArgBuilder) => ({ id: id(t) }),
    command: (context, args) => deleteSimulcastTarget(context, args),
  });
}

function id(t: ArgBuilder) {
  return t.field({ type: 'DID', required: true, description: 'Id of the simulcast target.' });
}
