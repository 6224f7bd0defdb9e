import { createHash } from 'node:crypto';
import type { VideoFacts } from '../inspect/media-facts.ts';
import { isMainTrack } from '../ladder/audio-rungs.ts';
import { STAGES, type Stage } from '../stages/stages.ts';
import {
  audioRungOf,
  ENCODERS,
  type EncodeChunk,
  type EncodePlan,
  encodersOf,
  plannedStage,
  stagesOfPlan,
} from './encode-plan.ts';
import { beginsAtKeyframe, isMeasured, sharedClock, sizesOf } from './encoder-args.ts';
import { allKeyframesOf, keyframesOf } from './times/timeline.ts';
import { fastestOf, shrunk } from './video-filters.ts';

/** The identity of what a chunk contributes to a rendition: outputs with the same key have the same bytes. */
export interface OutputKey {
  /** Of the rendition. */
  readonly folder: string;
  readonly key: string;
}

/**
 * The keys of the outputs of a chunk: digests of the source, of what is encoded of it and how, and of the versions of
 * the stages and the encoder that work on it. `sourceTag` identifies the file. Pure.
 */
export function outputKeys(
  plan: EncodePlan,
  chunk: EncodeChunk,
  sourceTag: string,
  all: readonly Stage[] = STAGES,
): OutputKey[] {
  const { facts, timeline, staged, codec, upmix, upscale, ffmpeg } = plan;
  const stages = stagesOfPlan(plan, all).filter((stage) => worksOn(stage) === chunk.kind);
  const { demuxer, durationMs, randomAccess } = facts;
  const { baseRate, segmentFrames } = timeline;
  const common = {
    ...{ sourceTag, demuxer, durationMs, randomAccess, baseRate, segmentFrames, ffmpeg, staged, upmix, upscale },
    ...(sharedClock(facts).length > 0 ? { sharedClock: true } : {}),
    ...{ stages: stages.map(plannedStage), encoder: codec ? encodersOf(codec) : ENCODERS[chunk.kind] },
  };
  if (chunk.kind === 'audio') {
    const { folder } = chunk;
    const rung = audioRungOf(plan, folder);
    const track = { rung, isMain: isMainTrack(facts, rung), isMeasured: isMeasured(plan, folder) };
    return [{ folder, key: digestOf({ ...common, ...track, cuts: timeline.cuts }) }];
  }
  const sizes = sizesOf(plan);
  const { startFrame, endFrame, firstSegment } = chunk;
  const decoded = {
    ...(timeline.cuts !== null && !beginsAtKeyframe(plan) ? { exactSeek: true } : {}),
    ...(timeline.timed ? { end: endFrame ?? timeline.timed.end } : {}),
    ...(timeline.keyframes ? { all: allKeyframesOf(timeline, chunk) } : {}),
    ...(timeline.borders ? { borders: timeline.borders } : {}),
    ...{
      video: withoutTimes(facts.video),
      startFrame,
      endFrame,
      firstSegment,
      keyframes: keyframesOf(timeline, chunk),
    },
    ...{ rate: fastestOf(sizes.all).frameRate, shrunk: facts.video && shrunk(facts.video, sizes.all[0]) },
  };
  return sizes.encoded.map((rung) => ({ folder: rung.folder, key: digestOf({ ...common, ...decoded, rung }) }));
}

/** Those of a chunk are that of the file, which has a tag. */
function withoutTimes(video: VideoFacts | null): object | null {
  if (video === null) return null;
  const { pictures: _, ...others } = video;
  return others;
}

function worksOn({ kind }: Stage): EncodeChunk['kind'] {
  return kind === 'audio-filter' || kind === 'process-audio' ? 'audio' : 'video';
}

/** Of JSON with its keys in order: plans come from the database with theirs in another one. */
function digestOf(value: object): string {
  const text = JSON.stringify(value, (_, each: unknown) =>
    each !== null && typeof each === 'object' && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([one], [other]) => (one < other ? -1 : 1)))
      : each,
  );
  return createHash('sha256').update(text).digest('base64url');
}
