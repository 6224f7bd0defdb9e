import { isDeepStrictEqual } from 'node:util';
import { type EncodePlan, planEncode, type Stage } from '../../../media/index.ts';
import type { EncodedVideo } from '../plans/outputs.store.ts';

/**
 * The plan of a video with the encoder of this version; null where its segments would begin at other times, or where
 * they cannot be encoded one by one. Pure.
 */
export function planAgainAs({ plan }: EncodedVideo, stages?: readonly Stage[]): EncodePlan | null {
  const { facts, timeline, ffmpeg } = plan;
  const { cuts, baseRate } = timeline;
  if (facts.durationMs === null || !facts.randomAccess || plan.staged) return null;
  const seconds = cuts === null ? null : cuts.map((frame) => (frame * baseRate.den) / baseRate.num);
  const planned = planEncode(facts, seconds, stages);
  const { keyframes: _, ...found } = planned.timeline;
  const { keyframes: __, ...known } = timeline;
  if (planned.staged || !isDeepStrictEqual(found, known)) return null;
  return { ...planned, timeline, ...(ffmpeg === undefined ? {} : { ffmpeg }) };
}
