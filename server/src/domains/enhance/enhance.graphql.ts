import type { Graph } from '../../gql/index.ts';
import { upscaleTargets } from '../../media/index.ts';
import type { AssetTypes } from '../assets/index.ts';
import { isMember } from '../channels/index.ts';
import { textsIn } from './additions/job-texts.ts';
import { declareUpmix, type StoredUpmix } from './upmix/upmix.graphql.ts';
import { upmixOf } from './upmix/upmix.sql.ts';
import { declareUpscale, type StoredUpscale } from './upscale/upscale.graphql.ts';
import { upscalableSizeOf, upscaleOf } from './upscale/upscale.sql.ts';
import { declareUpscalingSupport } from './upscale/upscaling.graphql.ts';

/** Declares what is added to videos. */
export function declareEnhance(graph: Graph, { enums, VideoAsset }: AssetTypes): void {
  declareUpscalingSupport(graph);
  const Upmix = declareUpmix(graph, enums);
  const Upscale = declareUpscale(graph, enums);
  graph.extend(VideoAsset, (f) => ({
    upmix: f.column({
      type: Upmix,
      nullable: true,
      description: 'Its sound in 5.1 or 7.1, made by upmixContent; null where there is none, and for non-members.',
      sql: (s) => [upmixOf(s.t), isMember(s, `${s.t}.channel_id`)],
      read: ([upmix, member]: [StoredUpmix | null, boolean], env) =>
        upmix && member
          ? {
              ...textsIn(upmix, env.language),
              jobId: env.did('job', upmix.jobId),
              layout: `SURROUND_${upmix.layout.replace('.', '_')}`,
            }
          : null,
    }),
    upscale: f.column({
      type: Upscale,
      nullable: true,
      description: 'Its enhanced quality, made by upscaleContent; null where there is none, and for non-members.',
      sql: (s) => [upscaleOf(s.t), isMember(s, `${s.t}.channel_id`)],
      read: ([upscale, member]: [StoredUpscale | null, boolean], env) =>
        upscale && member
          ? {
              ...textsIn(upscale, env.language),
              jobId: env.did('job', upscale.jobId),
              measuredOn: upscale.picture ?? null,
            }
          : null,
    }),
    upscaleTargets: f.column({
      type: ['Int'],
      description:
        'Lines of the qualities that upscaleContent can make of it, at most four times its own; empty for high ' +
        'dynamic range, and where the original was deleted.',
      sql: (s) => [upscalableSizeOf(s.t)],
      read: ([size]: [Parameters<typeof upscaleTargets>[0] | null]) =>
        size ? upscaleTargets(size).map(({ target }) => target) : [],
    }),
  }));
}
