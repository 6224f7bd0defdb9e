import { stat } from 'node:fs/promises';
import type { RunLimits } from '@reelgraph/sandbox';
import type { Runner } from '../runner.ts';
import { toNumber } from './fraction.ts';
import type { MediaFacts } from './media-facts.ts';
import { jumpsOf } from './packet-times.ts';
import { pinnedInput } from './probe.ts';
import { type ReportedPicture, reportedFrame } from './reported-frames.ts';

/** What decoding all of a file shows of the streams that are played. */
export interface Survey {
  /** Null without any that can be decoded. */
  readonly pictures: SurveyedPictures | null;
  /** Of the main track; null without any that can be decoded. */
  readonly sound: { readonly channels: number; readonly endSeconds: number } | null;
}

export interface SurveyedPictures {
  readonly count: number;
  /** Of the largest as displayed, in square pixels, and as ffmpeg turns it. */
  readonly width: number;
  readonly height: number;
  /** Of all pictures, each once. */
  readonly pixelFormats: readonly string[];
  /** Whether matrix or range change, or are those of some pictures only. */
  readonly coloursChange: boolean;
  /** Whether each is at its time, at the frame rate of the file. */
  readonly isSteady: boolean;
  /** The time stamp of the first, and the end of the last, with jumps removed. */
  readonly startSeconds: number;
  readonly endSeconds: number;
}

const FALLBACK_STEP = 1 / 30;

/**
 * The filter that rebuilds the times of decoded frames: where they fall or leap, the clock was set, and the stream goes
 * on where it was. Pure.
 */
export function rebuiltTimes({ demuxer, video }: MediaFacts, kind: 'video' | 'audio'): string {
  const { aheadSeconds } = jumpsOf(demuxer);
  const step =
    kind === 'audio' ? 'NB_SAMPLES/SR' : `${video?.frameRate ? 1 / toNumber(video.frameRate) : FALLBACK_STEP}`;
  const since = 'PTS-PREV_INPTS';
  const next = `PREV_OUTPTS+if(between(${since}\\,1\\,${aheadSeconds}/TB)\\,${since}\\,${step}/TB)`;
  const first = 'if(isnan(PTS)\\,0\\,PTS)';
  return `${kind === 'audio' ? 'asetpts' : 'setpts'}=if(isnan(PREV_OUTPTS)\\,${first}\\,${next})`;
}

/** Options before the input with which pictures of all sizes pass the same filters, unless ffmpeg has to turn them. */
export function anySize({ video }: MediaFacts): string[] {
  return video?.rotation === 0 ? ['-reinit_filter:v', '0'] : [];
}

/** Decodes all of a file. @throws RunError where nothing of it can be decoded, and for failures that are not its. */
export async function surveyFile(
  runner: Runner,
  path: string,
  facts: MediaFacts,
  signal: AbortSignal,
): Promise<Survey> {
  const seen = new SurveyLines(facts);
  await runner.run('ffmpeg', surveyArgs(facts), {
    ...{ inputs: [path], limits: surveyLimits(facts, (await stat(path)).size), signal },
    onStderrLine: (line) => seen.add(line),
  });
  return seen.survey();
}

function surveyArgs(facts: MediaFacts): string[] {
  const { video, audio } = facts;
  const chains = [
    ...(video ? [`[0:${video.index}]${rebuiltTimes(facts, 'video')},showinfo=checksum=0[v]`] : []),
    ...(audio ? [`[0:${audio.index}]${rebuiltTimes(facts, 'audio')},ashowinfo[a]`] : []),
  ];
  const maps = [...(video ? ['-map', '[v]'] : []), ...(audio ? ['-map', '[a]'] : [])];
  const output = [...maps, '-fps_mode', 'passthrough', '-f', 'null', '-'];
  return [...anySize(facts), ...pinnedInput(facts.demuxer), ...ownGraphs(chains), ...output];
}

/** A graph for each chain: where one has to be set up again, the others go on. Pure. */
export function ownGraphs(chains: readonly string[]): string[] {
  return chains.flatMap((chain) => ['-filter_complex', chain]);
}

const SURVEYED_BYTES_PER_SECOND = 100_000;

/** By the size, because the length may be wrong. */
function surveyLimits({ durationMs }: MediaFacts, sizeBytes: number): RunLimits {
  const cpuSeconds = 600 + Math.ceil(Math.max(sizeBytes / SURVEYED_BYTES_PER_SECOND, (2 * (durationMs ?? 0)) / 1000));
  return { cpuSeconds, memoryBytes: 6 * 1024 ** 3, outputBytes: 1024, wallMs: 2000 * cpuSeconds };
}

/** In frames. */
const MOST_DEVIATION = 0.4;

class SurveyLines {
  readonly #formats = new Set<string>();
  readonly #colours = new Set<string>();
  #largest: ReportedPicture | null = null;
  #count = 0;
  #start: number | null = null;
  #last = 0;
  #step = 0;
  #deviation = 0;
  #channels = 0;
  #soundEnd: number | null = null;
  readonly #frameSeconds: number | null;

  constructor({ video }: MediaFacts) {
    this.#frameSeconds = video?.frameRate ? 1 / toNumber(video.frameRate) : null;
  }

  add(line: string): void {
    const found = reportedFrame(line);
    if (found?.kind === 'picture') this.#addPicture(found);
    if (found?.kind === 'colours') this.#colours.add(`${found.matrix} ${found.range}`);
    if (found?.kind !== 'sound') return;
    this.#channels = Math.max(this.#channels, found.channels);
    this.#soundEnd = (found.time ?? this.#soundEnd ?? 0) + found.samples / found.sampleRate;
  }

  #addPicture(picture: ReportedPicture): void {
    this.#count += 1;
    this.#formats.add(picture.pixelFormat);
    if (this.#largest === null || areaOf(picture) > areaOf(this.#largest)) this.#largest = picture;
    if (picture.time === null) return;
    if (this.#start !== null) this.#step = picture.time - this.#last;
    this.#start ??= picture.time;
    this.#last = picture.time;
    const expected = this.#start + (this.#count - 1) * (this.#frameSeconds ?? 0);
    this.#deviation = Math.max(this.#deviation, Math.abs(picture.time - expected));
  }

  survey(): Survey {
    const { width = 0, height = 0, sar = 1 } = this.#largest ?? {};
    const step = this.#frameSeconds ?? this.#step;
    const pictures: SurveyedPictures = {
      count: this.#count,
      ...{ width: Math.round(width * sar), height },
      pixelFormats: [...this.#formats],
      coloursChange: this.#colours.size > 1,
      isSteady: this.#frameSeconds !== null && this.#deviation < MOST_DEVIATION * this.#frameSeconds,
      ...{ startSeconds: this.#start ?? 0, endSeconds: this.#last + step },
    };
    return {
      pictures: this.#largest && pictures,
      sound: this.#soundEnd === null ? null : { channels: this.#channels, endSeconds: this.#soundEnd },
    };
  }
}

function areaOf({ width, height, sar }: ReportedPicture): number {
  return width * height * sar;
}
