import { type EncodePlan, plannedStages, stagesOfPlan, type UpmixPlan } from '../encode/encode-plan.ts';
import { audioRungs } from '../ladder/audio-rungs.ts';
import { ladderOf } from '../ladder/ladder.ts';
import { stagedBy } from '../stages/staged.ts';
import { STAGES, type Stage } from '../stages/stages.ts';

/**
 * Plans the main track of a video as 5.1, in AAC and in Dolby Digital Plus, with the segments of its other renditions.
 * `encoded` is how these were planned. Pure.
 */
export function planUpmix(
  encoded: Omit<EncodePlan, 'chunks'>,
  upmix: UpmixPlan,
  all: readonly Stage[] = STAGES,
): EncodePlan {
  const { facts, timeline, ffmpeg } = encoded;
  const staged = stagedBy(facts, stagesOfPlan({ facts, upmix }, all));
  const plan = {
    ...{ facts, timeline, upmix, stages: plannedStages({ facts, upmix }, all) },
    ...(staged ? { staged } : {}),
    ...(ffmpeg === undefined ? {} : { ffmpeg }),
  };
  const rungs = audioRungs(ladderOf(plan));
  return { ...plan, chunks: rungs.map(({ folder }, number) => ({ kind: 'audio' as const, number, folder })) };
}
