/** Measures how well an upmix separates a scene whose stems are known. */
import { CHANNELS, type UpmixLayout, type UpmixSource } from './layouts.ts';
import { mixed, RATE, type Scene, type StereoSound } from './scenes.fixture.ts';
import { Upmixer } from './upmixer.ts';

/** In dB, but correlations; null where the scene has no such stem. */
export interface Acoustics {
  /** Dialogue in the louder one of left and right, and of the surrounds, relative to the centre. */
  readonly dialogueInFrontDb: number | null;
  readonly dialogueAroundDb: number | null;
  /**
   * What is dialogue in the centre, or ambience in the worse surround, against the rest of the channel. In 7.1, a back
   * and a side surround together count as one.
   */
  readonly centreSdrDb: number | null;
  readonly surroundSdrDb: number | null;
  /** Of two surrounds: those that correlate most. */
  readonly correlation: number;
  /** LFE above 150 Hz relative to what is below. */
  readonly lfeDb: number;
}

/** The channels of an upmix, one after the other. */
export function upmixed(
  { left, right }: StereoSound,
  layout: UpmixLayout = '5.1',
  source: UpmixSource = 'stereo',
): Float32Array[] {
  const samples = source === 'mono' ? left : new Float32Array(2 * left.length);
  if (source === 'stereo')
    for (let index = 0; index < left.length; index += 1) samples.set([left[index]!, right[index]!], 2 * index);
  const upmixer = new Upmixer({ source, layout });
  const blocks = [upmixer.push(samples), upmixer.finish()];
  return separate(blocks, CHANNELS[layout].length);
}

/** Channels that are interleaved in blocks. */
export function separate(blocks: readonly Float32Array[], count: number): Float32Array[] {
  const length = blocks.reduce((sum, block) => sum + block.length, 0) / count;
  const channels = Array.from({ length: count }, () => new Float32Array(length));
  let at = 0;
  for (const block of blocks)
    for (let index = 0; index < block.length; index += 1, at += 1)
      channels[at % count]![Math.floor(at / count)] = block[index]!;
  return channels;
}

/** What was made of the sum of the stems of a scene. */
export function measureScene({ dialogue, ambience }: Scene, channels: readonly Float32Array[]): Acoustics {
  const [left, right, centre, lfe, ...around] = channels as [
    ...[Float32Array, Float32Array, Float32Array, Float32Array, ...Float32Array[]],
  ];
  const [aroundLeft, aroundRight] = [0, 1].map((side) => sumOf(around.filter((_, at) => at % 2 === side))) as [
    ...[Float32Array, Float32Array],
  ];
  const spoken = power(dialogue.left) > 0;
  const isAround = power(ambience.left) > 0;
  // Dialogue is the same on both sides.
  const relative = (...made: Float32Array[]) =>
    decibels(Math.max(...made.map((each) => partOf(each, dialogue.left))) / partOf(centre, dialogue.left));
  const surroundSdr = Math.min(sdrDb(aroundLeft, ambience.left), sdrDb(aroundRight, ambience.right));
  return {
    dialogueInFrontDb: spoken ? relative(left, right) : null,
    dialogueAroundDb: spoken ? relative(...around) : null,
    centreSdrDb: spoken ? sdrDb(centre, dialogue.left) : null,
    surroundSdrDb: isAround ? surroundSdr : null,
    correlation: mostRelated(around),
    lfeDb: aboveDb(lfe, 150),
  };
}

function sumOf(channels: readonly Float32Array[]): Float32Array {
  const [first = new Float32Array(0), ...others] = channels;
  return first.map((sample, index) => others.reduce((sum, other) => sum + other[index]!, sample));
}

/** The correlation of the pair for which it is the furthest from 0. */
function mostRelated(channels: readonly Float32Array[]): number {
  const found = channels.flatMap((one, index) => channels.slice(index + 1).map((other) => correlationOf(one, other)));
  return found.reduce((most, each) => (Math.abs(each) > Math.abs(most) ? each : most), 0);
}

export function sceneMix({ dialogue, panned, ambience }: Scene): StereoSound {
  return mixed(dialogue, panned, ambience);
}

export function power(samples: Float32Array): number {
  return samples.reduce((sum, sample) => sum + sample * sample, 0);
}

export function decibels(ratio: number): number {
  return 10 * Math.log10(ratio);
}

function product(one: Float32Array, other: Float32Array): number {
  return one.reduce((sum, sample, index) => sum + sample * other[index]!, 0);
}

/** Power of the part of a signal that is a stem. */
function partOf(signal: Float32Array, stem: Float32Array): number {
  return product(signal, stem) ** 2 / power(stem);
}

/** Signal to distortion, whatever the gain. */
export function sdrDb(signal: Float32Array, stem: Float32Array): number {
  const part = partOf(signal, stem);
  return decibels(part / (power(signal) - part));
}

export function correlationOf(one: Float32Array, other: Float32Array): number {
  const powers = power(one) * power(other);
  return powers === 0 ? 0 : product(one, other) / Math.sqrt(powers);
}

/** Power above a frequency relative to that below it, by second-order filters, 48 dB an octave. */
function aboveDb(samples: Float32Array, frequencyHz: number): number {
  const filter = (isHigh: boolean) => {
    let filtered = samples;
    for (const q of [0.5098, 0.6013, 0.9, 2.5629]) filtered = biquad(filtered, frequencyHz, q, isHigh);
    return power(filtered);
  };
  return decibels(filter(true) / filter(false));
}

/** A section of a Butterworth filter (R. Bristow-Johnson's cookbook). */
function biquad(samples: Float32Array, frequencyHz: number, q: number, isHigh: boolean): Float32Array {
  const angle = (2 * Math.PI * frequencyHz) / RATE;
  const alpha = Math.sin(angle) / (2 * q);
  const cos = Math.cos(angle);
  const scale = 1 / (1 + alpha);
  const middle = isHigh ? -(1 + cos) : 1 - cos;
  const side = Math.abs(middle) / 2;
  const [a1, a2] = [-2 * cos * scale, (1 - alpha) * scale];
  let [one, two] = [0, 0];
  const filtered = new Float64Array(samples.length);
  for (let index = 0; index < samples.length; index += 1) {
    const value = side * scale * samples[index]! + one;
    one = middle * scale * samples[index]! - a1 * value + two;
    two = side * scale * samples[index]! - a2 * value;
    filtered[index] = value;
  }
  return Float32Array.from(filtered);
}
