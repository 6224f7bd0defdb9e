import type { EntityRef, Graph } from '../../gql/index.ts';
import type { SocialEnums } from '../social/index.ts';
import { type BroadcastStateRef, declareBroadcasts } from './broadcasts/broadcast.graphql.ts';
import { declareChat } from './chat/chat.graphql.ts';
import { declareLiveInputs } from './inputs/live-inputs.graphql.ts';
import { declareLiveCredits } from './quota/live-credits.graphql.ts';
import { declareEndBroadcast } from './recording/end-stream.graphql.ts';
import { declareSchedule } from './schedule/schedule.graphql.ts';
import { declareSimulcast } from './simulcast/simulcast-targets.graphql.ts';
import { declareStartBroadcast } from './start/start-broadcast.graphql.ts';

interface Types {
  readonly Node: EntityRef;
  readonly Channel: EntityRef;
  readonly Stream: EntityRef;
  readonly TimeRange: EntityRef;
  readonly Credits: EntityRef;
  readonly Person: EntityRef;
  readonly Report: EntityRef;
  readonly enums: SocialEnums;
}

export interface LiveTypes {
  readonly Broadcast: EntityRef;
  readonly BroadcastState: BroadcastStateRef;
  readonly ChatMessage: EntityRef;
}

/** Declares live inputs, simulcast targets, broadcasts and chats. */
export function declareLive(graph: Graph, types: Types): LiveTypes {
  const LiveInput = declareLiveInputs(graph, types);
  const { Broadcast, BroadcastState } = declareBroadcasts(graph, { LiveInput, ...types });
  declareSimulcast(graph, { Node: types.Node, LiveInput });
  declareStartBroadcast(graph, LiveInput);
  declareEndBroadcast(graph, types.Stream);
  declareSchedule(graph, types.Stream);
  declareLiveCredits(graph, types.Credits);
  return { Broadcast, BroadcastState, ChatMessage: declareChat(graph, types) };
}
