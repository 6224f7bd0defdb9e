import type { EntityRef, Graph } from '../../../gql/index.ts';
import type { TimeRange } from '../../../media/index.ts';
import { playableVideo } from '../../assets/index.ts';
import { mayInChannel } from '../../channels/index.ts';
import { isTrimmedVideo, keptRangesOf } from './video-trim.sql.ts';

/** Declares TimeRange and VideoTrim, and the trim of contents for members who edit them. Returns TimeRange. */
export function declareVideoTrim(graph: Graph, Content: EntityRef): EntityRef {
  const TimeRange = graph.object('TimeRange', {
    description: 'A part of a video.',
    fields: (f) => ({
      startMs: f.value({ type: 'Int', description: 'Its start in milliseconds.' }),
      endMs: f.value({ type: 'Int', description: 'Its end in milliseconds.' }),
    }),
  });
  const VideoTrim = graph.entity('VideoTrim', {
    description: 'How a video was trimmed. Its original is kept: revertContentVideo plays it again.',
    table: 'video_assets',
    fields: (f) => ({
      keep: f.column({
        type: [TimeRange],
        description: 'The parts of the original that it consists of, at most 50, in order.',
        sql: (s) => keptRangesOf(s.t),
        read: ([ranges]: [readonly TimeRange[]]) => ranges,
      }),
    }),
  });
  graph.extend(Content, (f) => ({
    trim: f.one({
      type: VideoTrim,
      nullable: true,
      description:
        'How its video was trimmed; null where it is the original, and for others than the members who edit it.',
      on: (child, s) =>
        `${child}.id = ${playableVideo(`${s.t}.id`)} and ${isTrimmedVideo(child)} and ` +
        `${mayInChannel(s, `${s.t}.channel_id`, 'asset:upload')}`,
    }),
  }));
  return TimeRange;
}
