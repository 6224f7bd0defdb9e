import { planColour } from '../inspect/colour-plan.ts';
import type { AudioFacts, MediaFacts, VideoFacts } from '../inspect/media-facts.ts';
import { planSizes, type Staged } from '../ladder/ladder.ts';
import { isProcess, type ProcessAudioStage, type ProcessVideoStage, type RawPicture, type Stage } from './stages.ts';

/** A program that changes pictures, with what it reads and what it writes. */
export interface VideoStep {
  readonly stage: ProcessVideoStage;
  readonly input: RawPicture;
  readonly output: RawPicture;
}

/**
 * The programs that change the pictures of a source. The first one reads them in the size of the largest rendition that
 * there would be without. Pure. @throws Error where one does not read what another writes.
 */
export function videoSteps(
  { displayWidth, displayHeight }: Pick<VideoFacts, 'displayWidth' | 'displayHeight'>,
  stages: readonly Stage[],
): VideoStep[] {
  const [size] = planSizes(displayWidth, displayHeight);
  const steps: VideoStep[] = [];
  for (const stage of stages) {
    if (stage.kind !== 'process-video' || !size) continue;
    const { pixelFormat } = stage;
    const input = steps.at(-1)?.output ?? { width: size.width, height: size.height, pixelFormat };
    if (input.pixelFormat !== pixelFormat)
      throw new Error(`The stage ${stage.id} reads ${pixelFormat}, not ${input.pixelFormat}.`);
    steps.push({ stage, input, output: stage.output(input) });
  }
  return steps;
}

/** A program that changes a track of sound, with the channels that it reads and writes. */
export interface AudioStep {
  readonly stage: ProcessAudioStage;
  readonly input: number;
  readonly output: number;
}

/** The programs that change a track of a source. Pure. */
export function audioSteps(track: AudioFacts, stages: readonly Stage[]): AudioStep[] {
  const steps: AudioStep[] = [];
  for (const stage of stages) {
    if (stage.kind !== 'process-audio') continue;
    const input = steps.at(-1)?.output ?? track.channels;
    const output = stage.output({ ...track, channels: input });
    if (output !== null) steps.push({ stage, input, output });
  }
  return steps;
}

/** A source as programs leave it; null where there are none. Pure. */
export function stagedBy({ video, audio, otherAudio }: MediaFacts, stages: readonly Stage[]): Staged | null {
  if (!stages.some(isProcess)) return null;
  const picture = video && videoSteps(video, stages).at(-1)?.output;
  const tracks = audio ? [audio, ...otherAudio] : [];
  const channels = tracks.flatMap((track) => {
    const last = audioSteps(track, stages).at(-1);
    return last ? [[track.index, last.output]] : [];
  });
  return {
    picture: picture ? { width: picture.width, height: picture.height } : null,
    channels: Object.fromEntries(channels),
  };
}

/** The only stream of raw pictures, for the filters after the programs. Pure. */
export function stagedVideo(video: VideoFacts, { width, height, pixelFormat }: RawPicture): VideoFacts {
  const { primaries, transfer, matrix } = planColour(video).tags;
  return {
    ...video,
    ...{ index: 0, codec: 'rawvideo', profile: null, pixelFormat, bitDepth: 8, hdr: null, interlaced: null },
    ...{ width, height, displayWidth: width, displayHeight: height, rotation: 0, sar: { num: 1, den: 1 } },
    colour: { primaries, transfer, matrix, range: 'tv' },
  };
}
