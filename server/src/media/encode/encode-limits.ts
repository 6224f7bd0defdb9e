import type { RunLimits } from '@reelgraph/sandbox';
import { toNumber } from '../inspect/fraction.ts';
import type { MediaFacts } from '../inspect/media-facts.ts';
import { audioRungs } from '../ladder/audio-rungs.ts';
import { type Ladder, ladderOf, planLadder } from '../ladder/ladder.ts';
import { type EncodeChunk, type EncodePlan, encodedSizes } from './encode-plan.ts';

const SMALL_FILES_BYTES = 32 * 1024 ** 2;

/** Indexes of downloads: 12 bytes for each of 60 frames a second, 8 for each frame of sound. */
const INDEX_BPS = 8_800;

/**
 * Maximum expected size of a package: every rendition always at its peak. For reserving space; ordinary videos stay
 * well below it. Pure.
 */
export function expectedPackageBytes(plan: Pick<EncodePlan, 'facts' | 'staged' | 'upscale'>): number {
  const bitsPerSecond = streamBps(ladderOf(plan)) + INDEX_BPS;
  return SMALL_FILES_BYTES + Math.ceil(((plan.facts.durationMs ?? 0) / 8000) * bitsPerSecond);
}

/**
 * Limits that ordinary files never reach: CPU time and bytes grow with the duration and the ladder, with a generous
 * factor. 1080p30 costs about 2 CPU seconds per second of video on ordinary cores.
 */
export function defaultLimits(facts: MediaFacts, ladder = planLadder(facts), durationMs = facts.durationMs): RunLimits {
  const videoSeconds = (durationMs ?? 0) / 1000;
  const peakBps = streamBps(ladder);
  const megapixelsPerSecond = ladder.video.reduce(
    (sum, rung) => sum + (rung.width * rung.height * toNumber(rung.frameRate)) / 1e6,
    0,
  );
  const pictures = [...(facts.video ? [facts.video] : []), ...ladder.video];
  const megapixels = Math.max(0, ...pictures.map(({ width, height }) => (width * height) / 1e6));
  const cpuSeconds = Math.ceil(300 + videoSeconds * (2 + megapixelsPerSecond * 0.5));
  return {
    cpuSeconds,
    // 1080p takes well under 2 GiB, 2160p HDR about 3 on few cores; encoder and decoder threads each hold some frames.
    memoryBytes: (megapixels > 4 ? 10 : 6) * 1024 ** 3,
    outputBytes: Math.ceil(256 * 1024 ** 2 + (2 * videoSeconds * peakBps) / 8),
    wallMs: 2000 * cpuSeconds,
  };
}

/** The limits of a chunk: those of its part of the source. A source without random access is read from its start. */
export function chunkLimits(plan: EncodePlan, chunk: EncodeChunk): RunLimits {
  const { facts, timeline } = plan;
  const ladder = ladderOf(plan);
  if (chunk.kind === 'audio') {
    const all = audioRungs(ladder).filter(({ folder }) => folder === chunk.folder);
    return defaultLimits(facts, { ...ladder, video: [], audio: all[0] ?? null, otherAudio: [] });
  }
  const picture = { ...ladder, video: encodedSizes(plan), audio: null, otherAudio: [] };
  if (chunk.endFrame === null) return defaultLimits(facts, picture);
  return defaultLimits(facts, picture, (1000 * (chunk.endFrame - chunk.startFrame)) / toNumber(timeline.baseRate));
}

/** All rungs at their peak. */
function streamBps(ladder: Ladder): number {
  const sound = audioRungs(ladder).reduce((sum, rung) => sum + rung.bitrateBps, 0);
  return ladder.video.reduce((sum, rung) => sum + rung.maxrateBps, sound);
}
