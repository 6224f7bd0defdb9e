import { readFragment, VIDEO_TIMESCALE } from '@reelgraph/mp4';
import type { AudioRendition, Rendition, VideoRendition } from '../../../media/index.ts';
import type { LiveSegment, LiveTracks } from '../packaging/live-stream.ts';

/** The folder of a broadcast below that of its video. */
export const LIVE_NAME = 'live';
/** Segments differ: what the first one has is exceeded by so much. */
const MARGIN = 1.3;

/** Key prefix of the segments of a broadcast. */
export function livePrefix(contentId: string, videoAssetId: string): string {
  return `media/${contentId}/${videoAssetId}/${LIVE_NAME}/`;
}

/** How manifests describe the tracks of a broadcast that begins, by its first segment. */
export function liveRenditions({ video, audio }: LiveTracks, segment: LiveSegment): Rendition[] {
  const picture: VideoRendition = {
    ...{ kind: 'VIDEO', folder: `${LIVE_NAME}/video`, origin: 'LIVE', codecs: video.codecs, iframes: null },
    ...{ label: labelOf(video), width: video.width, height: video.height, frameRate: frameRateOf(segment) },
    ...{ ...ratesOf(segment.video), timescale: VIDEO_TIMESCALE, durations: [] },
  };
  if (audio === null || segment.audio === null) return [picture];
  const sound: AudioRendition = {
    ...{ kind: 'AUDIO', folder: `${LIVE_NAME}/audio`, origin: 'LIVE', codecs: audio.codecs },
    ...{ track: 0, name: 'Main', language: null, channels: audio.channels || 2, sampleRate: audio.sampleRate },
    ...{ isDefault: true, ...ratesOf(segment.audio), timescale: audio.sampleRate, durations: [] },
  };
  return [picture, sound];
}

function labelOf({ width, height }: LiveTracks['video']): string {
  return `${Math.min(width, height)}p`;
}

/** Bits per second. */
function ratesOf({ bytes, durationSeconds }: LiveSegment['video']) {
  const averageBps = Math.max(1, Math.round((8 * bytes.length) / Math.max(durationSeconds, 0.001)));
  return { averageBps, peakBps: Math.round(MARGIN * averageBps) };
}

/** By the pictures of a segment, in thousandths of a picture a second. */
function frameRateOf({ video }: LiveSegment): VideoRendition['frameRate'] {
  const pictures = readFragment(video.bytes).durations.length;
  const thousandths = Math.max(1, Math.round((1_000 * pictures) / video.durationSeconds));
  return thousandths % 1_000 === 0 ? { num: thousandths / 1_000, den: 1 } : { num: thousandths, den: 1_000 };
}
