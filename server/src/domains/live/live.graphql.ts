import type { EntityRef, Graph } from '../../gql/index.ts';
import { declareBroadcasts } from './broadcasts/broadcast.graphql.ts';
import { declareLiveInputs } from './inputs/live-inputs.graphql.ts';
import { declareEndBroadcast } from './recording/end-stream.graphql.ts';

interface Types {
  readonly Node: EntityRef;
  readonly Channel: EntityRef;
  readonly Stream: EntityRef;
}

/** Declares live inputs and broadcasts. */
export function declareLive(graph: Graph, types: Types): void {
  const LiveInput = declareLiveInputs(graph, types);
  declareBroadcasts(graph, { LiveInput, Stream: types.Stream });
  declareEndBroadcast(graph, types.Stream);
}
