import type { EntityRef, Graph } from '../../gql/index.ts';
import type { AssetTypes } from '../assets/index.ts';
import type { ChannelTypes } from '../channels/index.ts';
import { declareJobs } from './jobs/jobs.graphql.ts';
import { declareTranscodeJob } from './jobs/transcode-job.graphql.ts';
import { declareEstimate } from './plans/estimate.graphql.ts';

/** The types that higher domains use. */
export interface TranscodeTypes {
  readonly TranscodeJob: EntityRef;
  readonly ProcessingEstimate: ReturnType<typeof declareEstimate>;
}

/** Declares jobs and estimates. */
export function declareTranscode(
  graph: Graph,
  { channels, assets }: { channels: ChannelTypes; assets: AssetTypes },
): TranscodeTypes {
  const TranscodeJob = declareTranscodeJob(graph, { Node: channels.Node, enums: assets.enums });
  declareJobs(graph, TranscodeJob);
  return { TranscodeJob, ProcessingEstimate: declareEstimate(graph) };
}
