import type { EntityRef, Graph } from '../../../gql/index.ts';
import type { CatalogTypes } from '../../catalog/index.ts';
import { latestVideo, performanceSql } from './latest-video.sql.ts';

/** A view is read for each view of eleven videos in their first weeks. */
const COST = [{ points: 30 }];

/** Adds to the dashboard how the latest video does, beside the videos before it. */
export function declareLatestVideo(graph: Graph, { Content, ChannelDashboard }: CatalogTypes): void {
  const VideoPerformance = declarePerformance(graph);
  const LatestVideo = graph.entity('LatestVideo', {
    description: 'The video of a channel that was published last.',
    table: 'contents',
    fields: (f) => ({
      content: f.one({ type: Content, description: 'The video.', on: (child, s) => `${child}.id = ${s.t}.id` }),
      performance: f.column({
        type: VideoPerformance,
        description: 'Its views beside those of the videos before it.',
        cost: COST,
        sql: (s) =>
          performanceSql(
            s.t,
            s.param((env) => env.nowIso, 'timestamptz'),
          ),
        read: readPerformance,
      }),
    }),
  });
  graph.extend(ChannelDashboard, (f) => ({
    latestVideo: f.one({
      type: LatestVideo,
      nullable: true,
      description: 'The video that was published last, and how it does; null without published videos.',
      on: (child, s) => `${child}.id = ${latestVideo(`${s.t}.id`)}`,
    }),
  }));
}

function declarePerformance(graph: Graph): EntityRef {
  return graph.object('VideoPerformance', {
    description:
      'Views of a video since its publication, at most of its first 28 days, ' +
      'and those of up to 10 videos before it at the same age.',
    fields: (f) => ({
      hours: f.value({ type: 'Int', description: 'Hours since its publication, at most 672.' }),
      views: f.value({ type: 'BigInt', description: 'Views in these hours.' }),
      usualViews: f.value({
        type: 'Float',
        nullable: true,
        description: 'The median of the videos before it in their first hours; null without such videos.',
      }),
      rank: f.value({ type: 'Int', description: 'Its place by views among all compared ones, from 1.' }),
      comparedVideos: f.value({ type: 'Int', description: 'Number of compared videos, this one included.' }),
    }),
  });
}

interface PerformanceRow {
  readonly hours: number;
  readonly views: number;
  /** Fewest first. */
  readonly earlier: readonly number[];
}

function readPerformance([{ hours, views, earlier }]: [PerformanceRow]): Record<string, unknown> {
  return {
    hours,
    views,
    usualViews: median(earlier),
    rank: 1 + earlier.filter((other) => other > views).length,
    comparedVideos: 1 + earlier.length,
  };
}

/** Of sorted values; null for none. */
function median(values: readonly number[]): number | null {
  const middle = values.length / 2;
  const [low, high] = [values[Math.ceil(middle) - 1], values[Math.floor(middle)]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}
