import { readFragment, VIDEO_TIMESCALE } from '@reelgraph/mp4';
import type { AudioRendition, LiveRung, Rendition, VideoRendition } from '../../../media/index.ts';
import { LIVE_NAME } from '../broadcasts/live-names.ts';
import type { LiveSegment, LiveTracks } from '../packaging/live-stream.ts';

/** Segments differ: what the first one has is exceeded by so much. */
const MARGIN = 1.3;

/** Key prefix of the segments of a broadcast. */
export function livePrefix(contentId: string, videoAssetId: string): string {
  return `media/${contentId}/${videoAssetId}/${LIVE_NAME}/`;
}

/** The name of the track of a size in which a broadcast is encoded, beside `video` and `audio`. */
export function rungName({ label }: Pick<LiveRung, 'label'>): string {
  return `video-${label.replace('p', '')}`;
}

/** The name of the track of a rendition. */
export function trackOf({ folder }: Pick<Rendition, 'folder'>): string {
  return folder.slice(`${LIVE_NAME}/`.length);
}

/** Whether a rendition is what the encoder sends, and not encoded here. */
export function isOfEncoder(rendition: Pick<Rendition, 'folder'>): boolean {
  return ['video', 'audio'].includes(trackOf(rendition));
}

/** How manifests describe the tracks of a broadcast that begins, by its first segment, below a folder. */
export function liveRenditions(
  { video, audio }: LiveTracks,
  rungs: readonly LiveRung[],
  segment: LiveSegment,
  folder = LIVE_NAME,
): Rendition[] {
  const picture: VideoRendition = {
    ...{ kind: 'VIDEO', folder: `${folder}/video`, origin: 'LIVE', codecs: video.codecs, iframes: null },
    ...{ label: labelOf(video), width: video.width, height: video.height, frameRate: frameRateOf(segment) },
    ...{ ...ratesOf(segment.video), timescale: VIDEO_TIMESCALE, durations: [] },
  };
  const sizes = rungs.map((rung): VideoRendition => {
    const { label, width, height, codecs, maxrateBps } = rung;
    const rates = { averageBps: maxrateBps, peakBps: Math.round(MARGIN * maxrateBps) };
    return { ...picture, ...rates, folder: `${folder}/${rungName(rung)}`, codecs, label, width, height };
  });
  if (audio === null || segment.audio === null) return [picture, ...sizes];
  const sound: AudioRendition = {
    ...{ kind: 'AUDIO', folder: `${folder}/audio`, origin: 'LIVE', codecs: audio.codecs },
    ...{ track: 0, name: 'Main', language: null, channels: audio.channels || 2, sampleRate: audio.sampleRate },
    ...{ isDefault: true, ...ratesOf(segment.audio), timescale: audio.sampleRate, durations: [] },
  };
  return [picture, ...sizes, sound];
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
