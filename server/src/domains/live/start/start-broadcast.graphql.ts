import type { EntityRef, Graph } from '../../../gql/index.ts';
import { LIVE_INPUT_CHANGE } from '../inputs/live-input-commands.ts';
import { startBroadcast } from './start-broadcast.ts';

/** Declares startBroadcast. */
export function declareStartBroadcast(graph: Graph, LiveInput: EntityRef): void {
  graph.mutation('startBroadcast', {
    access: 'live:manage',
    policies: [LIVE_INPUT_CHANGE],
    description:
      'Makes what a live input with start MANUAL receives live, with the next keyframe of its encoder. Its stream is ' +
      'published then, and the recording begins. Before, only members see what the encoder sends (LiveInput.preview).',
    payload: (f) => ({ liveInput: f.read({ type: LiveInput, description: 'The live input.' }) }),
    args: (t) => ({ id: t.field({ type: 'DID', required: true, description: 'Id of the live input.' }) }),
    command: (context, args) => startBroadcast(context, args),
  });
}
