import { type EncodePlan, plannedStages, stagesOfPlan } from '../encode/encode-plan.ts';
import { planBeside, startsOf } from '../encode/plan-codec.ts';
import { planKeyframes } from '../encode/times/plan-keyframes.ts';
import type { Timeline } from '../encode/times/timeline.ts';
import { toNumber } from '../inspect/fraction.ts';
import type { MediaFacts, VideoFacts } from '../inspect/media-facts.ts';
import { TICKS_PER_SECOND } from '../inspect/picture-times.ts';
import { isSlowVideo, linesOf, planLadder, type Staged } from '../ladder/ladder.ts';
import type { VideoRendition } from '../renditions/rendition.ts';
import { stagedBy } from '../stages/staged.ts';
import { STAGES, type Stage } from '../stages/stages.ts';
import type { UpscaleFactor, UpscalePlan } from '../stages/upscale-stage.ts';

/** The nominal lines of renditions that are made by upscaling. */
export const UPSCALE_TARGETS = [360, 480, 720, 1080, 1440, 2160, 4320] as const;
export type UpscaleTarget = (typeof UPSCALE_TARGETS)[number];

/** A target is larger than a source by more than the lines that encoders add. */
const LEAST_RATIO = 1.15;
/** By how much the result of a factor is enlarged further: a few lines. */
const TOLERANCE = 1.02;

/** Of our models: two passes make the second. */
export const OWN_FACTORS: readonly UpscaleFactor[] = [2, 4];

/**
 * The targets of a video, with the factor that each needs, of those that a model makes; none for a picture that is too
 * small, or too large. Pure.
 */
export function upscaleTargets(
  { displayWidth, displayHeight }: Pick<VideoFacts, 'displayWidth' | 'displayHeight'>,
  factors: readonly UpscaleFactor[] = OWN_FACTORS,
): { target: UpscaleTarget; factor: UpscaleFactor }[] {
  const lines = linesOf(displayWidth, displayHeight);
  return UPSCALE_TARGETS.filter((target) => target >= LEAST_RATIO * lines).flatMap((target) => {
    const factor = factors.find((each) => target <= TOLERANCE * each * lines);
    return factor === undefined ? [] : [{ target, factor }];
  });
}

/**
 * Plans the pictures of a video at a larger size, with segments that begin with those of a size that it has already.
 * `encoded` is how that was planned. Null where its segments cannot be found in the source. Pure.
 */
export function planUpscale(
  encoded: Omit<EncodePlan, 'chunks'>,
  upscale: UpscalePlan,
  beside: Pick<VideoRendition, 'timescale' | 'durations'>,
  all: readonly Stage[] = STAGES,
): EncodePlan | null {
  const { facts, timeline, ffmpeg } = encoded;
  const stages = stagesOfPlan({ facts, upscale }, all);
  const staged = stagedBy(facts, stages);
  const segments = planBeside(
    facts,
    timeline.timed ? constantTimeline(facts, staged, beside) : timeline,
    beside,
    stages,
  );
  return (
    segments && {
      ...{ facts, upscale, ...segments, stages: plannedStages({ facts, upscale }, all) },
      ...(staged ? { staged } : {}),
      ...(ffmpeg === undefined ? {} : { ffmpeg }),
    }
  );
}

/** Programs read pictures at a constant rate, also of a source whose other renditions keep its times. */
function constantTimeline(
  facts: MediaFacts,
  staged: Staged | null,
  beside: Pick<VideoRendition, 'timescale' | 'durations'>,
): Timeline {
  const { timescale, durations } = beside;
  const { baseRate, segmentFrames } = planLadder(facts, staged);
  const borders = [0];
  let ticks = 0;
  for (const duration of durations) {
    ticks += duration;
    borders.push(Math.round((ticks * TICKS_PER_SECOND) / timescale));
  }
  const timeline: Timeline = { baseRate, segmentFrames, cuts: null, borders };
  if (isSlowVideo(facts)) return timeline;
  const rate = toNumber(baseRate);
  const end = (ticks * rate) / timescale;
  return { ...timeline, keyframes: planKeyframes({ rate, starts: startsOf(beside, baseRate), given: [], end }) };
}
