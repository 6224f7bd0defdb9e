import type { EntityRef, Graph } from '../../../gql/index.ts';
import { CONTENT_CHANGE } from '../../catalog/index.ts';
import { endStream } from './end-stream.ts';

/** Declares endBroadcast. */
export function declareEndBroadcast(graph: Graph, Stream: EntityRef): void {
  graph.mutation('endBroadcast', {
    access: 'live:manage',
    policies: [CONTENT_CHANGE],
    description:
      'Ends the broadcast of a stream, which becomes its recording. Its encoder is refused for a minute, and as long ' +
      'as it connects again by itself, so that it does not begin another.',
    payload: (f) => ({ stream: f.read({ type: Stream, description: 'The stream.' }) }),
    args: (t) => ({ id: t.field({ type: 'DID', required: true, description: 'Id of the stream.' }) }),
    command: (context, args) => endStream(context, args),
  });
}
