import { finishedPlaylist } from '@reelgraph/manifests';
import { toNumber } from '../inspect/fraction.ts';
import type { AudioRung } from '../ladder/audio-rungs.ts';
import { planLadder, type VideoRung } from '../ladder/ladder.ts';
import { namedAudio } from '../renditions/audio-groups.ts';
import type { AudioRendition, Rendition, VideoRendition } from '../renditions/rendition.ts';
import { type EncodePlan, ticksOf } from './encode-plan.ts';
import { INIT_NAME, PLAYLIST_NAME, segmentName } from './encoded.ts';
import type { VideoChunk } from './times/timeline.ts';

/**
 * How a video is played while it is encoded: one quality, whose segments are encoded by themselves when a viewer wants
 * them. They are those of the timeline, so that what was encoded meanwhile continues them.
 */
export interface OnDemand {
  readonly video: VideoRung;
  readonly audio: AudioRung | null;
  /** How many segments there are. */
  readonly segments: number;
  /** Frames of the base rate. */
  readonly frames: number;
}

/** Lines of the quality, where the source has as many: it is encoded faster than it is played on a slow core. */
const LINES = 360;
/** A last segment shorter than this is part of the one before. */
const SHORTEST_SECONDS = 1;

/**
 * The quality of a plan that can be played at once; null where segments cannot be encoded by themselves: without
 * pictures, without random access or a known duration, with stages that are programs, and where segments follow the
 * keyframes of a source with a constant rate, which is played as it is. Pure.
 */
export function planOnDemand({
  facts,
  timeline,
  staged,
}: Pick<EncodePlan, 'facts' | 'timeline' | 'staged'>): OnDemand | null {
  if (facts.durationMs === null || !facts.randomAccess || staged) return null;
  if (timeline.cuts !== null && !timeline.timed) return null;
  const ladder = planLadder(facts);
  const lines = (rung: VideoRung) => Math.min(rung.width, rung.height);
  const video = ladder.video.findLast((rung) => lines(rung) >= LINES) ?? ladder.video[0];
  if (!video) return null;
  const { timed, cuts } = timeline;
  if (timed && cuts) return { video, audio: ladder.audio, segments: cuts.length, frames: timed.end };
  const rate = toNumber(timeline.baseRate);
  const frames = Math.max(1, Math.round((facts.durationMs / 1000) * rate));
  const segments = Math.max(1, Math.ceil((frames - SHORTEST_SECONDS * rate) / timeline.segmentFrames));
  return { video, audio: ladder.audio, segments, frames };
}

/** A segment as a part of the video. Pure. */
export function segmentChunk(
  { timeline }: Pick<EncodePlan, 'timeline'>,
  demand: OnDemand,
  number: number,
): VideoChunk & { readonly endFrame: number } {
  const { cuts, segmentFrames } = timeline;
  const startOf = (segment: number) => (cuts ? (cuts[segment] ?? 0) : segment * segmentFrames);
  const startFrame = startOf(number);
  const endFrame = number === demand.segments - 1 ? demand.frames : startOf(number + 1);
  return { number, startFrame, endFrame, firstSegment: number };
}

/** RFC 6381: AAC-LC. */
export const AAC_CODECS = 'mp4a.40.2';
/** AAC: samples of a packet, and in a second. */
export const AAC_PACKET = 1024;
export const AAC_RATE = 48_000;
/** Packets that are encoded before those of a segment, because each depends on the one before it. */
const LEAD_PACKETS = 4;

/** The packets of sound of a segment, as they are numbered in the whole track. */
export interface PacketRange {
  readonly first: number;
  /** Number of the first packet after it. */
  readonly end: number;
  /** Number of the first packet that is encoded. */
  readonly lead: number;
}

/** The packets of sound that begin within a segment; the first packet is priming. Pure. */
export function packetsOf(plan: Pick<EncodePlan, 'timeline'>, demand: OnDemand, number: number): PacketRange {
  const rate = toNumber(plan.timeline.baseRate);
  const packetAt = (frame: number): number => {
    const seconds = frame / rate;
    let packet = Math.floor((seconds * AAC_RATE) / AAC_PACKET);
    while (((packet - 1) * AAC_PACKET) / AAC_RATE < seconds) packet += 1;
    return packet;
  };
  const { startFrame, endFrame } = segmentChunk(plan, demand, number);
  const first = number === 0 ? 0 : packetAt(startFrame);
  return { first, end: packetAt(endFrame), lead: Math.max(0, first - LEAD_PACKETS) };
}

/** Playlists of the package, and its renditions. Bit rates are upper bounds of the encoder. Pure. */
export function describeOnDemand(
  plan: Pick<EncodePlan, 'timeline'>,
  demand: OnDemand,
): {
  readonly files: readonly { readonly path: string; readonly text: string }[];
  readonly renditions: readonly Rendition[];
} {
  const { video, audio, segments } = demand;
  const rate = toNumber(plan.timeline.baseRate);
  const numbers = Array.from({ length: segments }, (_, number) => number);
  const listed = numbers.map((number) => {
    const { startFrame, endFrame } = segmentChunk(plan, demand, number);
    return { uri: segmentName(number), durationSeconds: (endFrame - startFrame) / rate };
  });
  const playlist = finishedPlaylist(6, INIT_NAME, listed);
  const sound = audio && describeAudio(plan, demand, audio);
  const renditions = [describeVideo(plan, demand), ...(sound ? [sound] : [])];
  return {
    files: [video.folder, ...(sound ? [sound.folder] : [])].map((folder) => ({
      path: `${folder}/${PLAYLIST_NAME}`,
      text: playlist,
    })),
    renditions,
  };
}

function describeVideo(plan: Pick<EncodePlan, 'timeline'>, demand: OnDemand): VideoRendition {
  const { folder, label, width, height, codecs, frameRate, framesPerBase, maxrateBps, bufsizeBits } = demand.video;
  const { timescale } = demand.video;
  // Where pictures keep their times, frames are ticks.
  const frame = plan.timeline.timed ? 1 : ticksOf(demand.video).frame;
  const segmentSeconds = plan.timeline.segmentFrames / toNumber(plan.timeline.baseRate);
  return {
    ...{ kind: 'VIDEO', origin: 'ON_DEMAND', folder, label, width, height, codecs, frameRate, iframes: null },
    // At most, a segment has all that the encoder's buffer holds, too.
    peakBps: Math.ceil(maxrateBps + bufsizeBits / segmentSeconds),
    averageBps: maxrateBps,
    timescale,
    durations: Array.from({ length: demand.segments }, (_, number) => {
      const { startFrame, endFrame } = segmentChunk(plan, demand, number);
      return (endFrame - startFrame) * framesPerBase * frame;
    }),
  };
}

function describeAudio(plan: Pick<EncodePlan, 'timeline'>, demand: OnDemand, audio: AudioRung): AudioRendition | null {
  const [named] = namedAudio({ audio, otherAudio: [] });
  if (!named) return null;
  const { folder, track, name, language, channels, sampleRate, isDefault, bitrateBps } = named;
  // The first packet is priming, which is not played.
  const samplesBefore = (packet: number) => Math.max(0, packet - 1) * AAC_PACKET;
  return {
    ...{ kind: 'AUDIO', origin: 'ON_DEMAND', folder, track, name, language, channels, sampleRate, isDefault },
    ...{ codecs: AAC_CODECS, peakBps: bitrateBps, averageBps: bitrateBps, timescale: AAC_RATE },
    durations: Array.from({ length: demand.segments }, (_, number) => {
      const { first, end } = packetsOf(plan, demand, number);
      return samplesBefore(end) - samplesBefore(first);
    }),
  };
}
