import { averageBps, peakSegmentBps, type SizedSegment } from '@reelgraph/manifests';
import type { Ladder } from '../ladder/ladder.ts';
import { namedAudio } from '../renditions/audio-groups.ts';
import type { AudioRendition, Rendition, VideoRendition } from '../renditions/rendition.ts';
import { type EncodedRendition, PackageError } from './encoded.ts';

/**
 * What was encoded of a ladder, with measured bit rates: pictures from large to small, then audio, the default first.
 * @throws PackageError where a rendition is missing.
 */
export function describeEncoded(ladder: Ladder, encoded: readonly EncodedRendition[]): Rendition[] {
  const video = ladder.video.map(({ folder, label, width, height, frameRate }): VideoRendition => {
    const { keyframes, ...rendition } = renditionIn(encoded, folder);
    const iframes = keyframes && bitRates(keyframes);
    return { kind: 'VIDEO', ...streamOf(rendition), label, width, height, frameRate, iframes };
  });
  const audio = namedAudio(ladder).map((rung): AudioRendition => {
    const { folder, track, name, language, channels, sampleRate, isDefault } = rung;
    const stream = streamOf(renditionIn(encoded, folder));
    return { kind: 'AUDIO', ...stream, track, name, language, channels, sampleRate, isDefault };
  });
  return [...video, ...audio];
}

function renditionIn(encoded: readonly EncodedRendition[], folder: string): EncodedRendition {
  const found = encoded.find((rendition) => rendition.folder === folder);
  if (found === undefined) throw new PackageError(`No rendition in ${folder}.`);
  return found;
}

function streamOf({ folder, codecs, timescale, durations, segments }: Omit<EncodedRendition, 'keyframes'>) {
  return { folder, origin: 'ENCODE' as const, codecs, timescale, durations, ...bitRates(segments) };
}

/** Peak and average of segments (RFC 8216 section 4.1), in bits per second. */
export function bitRates(segments: readonly SizedSegment[]): { peakBps: number; averageBps: number } {
  const target = Math.ceil(Math.max(...segments.map(({ durationSeconds }) => durationSeconds)));
  return { peakBps: peakSegmentBps(segments, target), averageBps: averageBps(segments) };
}
