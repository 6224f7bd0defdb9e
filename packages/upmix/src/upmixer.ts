import { FRAME, FrameSeparator, HOP, type SeparatedSamples } from './frames.ts';
import { CHANNELS, DOWNMIX_GAIN, type UpmixLayout, type UpmixSource } from './layouts.ts';
import { Lowpass } from './lowpass.ts';

/** The only sampling rate. */
export const UPMIX_RATE = 48_000;

/** LFE is what is below this in both channels together, as of a crossover. */
const LFE_HZ = 80;
const LFE_ORDER = 24;
/** Players reproduce LFE 10 dB louder than other channels: so it is as loud as the mean of left and right. */
const LFE_GAIN = 10 ** (-10 / 20) / 2;
/** Samples, 50 ms, in which LFE fades in and out: a filter rings before and after the programme, and must not click. */
const LFE_FADE = 2400;

/** Samples of the delay lines, which begin with the first sample that is ready. */
const LINE = FrameSeparator.delay;

export interface UpmixerOptions {
  readonly source: UpmixSource;
  readonly layout: UpmixLayout;
  /** Of all channels; default 1. */
  readonly gain?: number;
}

/**
 * Makes 5.1 or 7.1 of stereo or mono at 48 kHz, block by block, in bounded memory. The front channels are what centre
 * and surround leave of the original, so the Lo/Ro downmix of the result (ITU-R BS.775) is the original times `gain`.
 * Mono goes to the centre as it is: its downmix is the original times `gain` and 0.707. How the samples are cut into
 * blocks does not matter.
 */
export class Upmixer {
  readonly #channels: number;
  readonly #isMono: boolean;
  readonly #hasSides: boolean;
  readonly #gain: number;
  readonly #separator: FrameSeparator;
  readonly #lowpass = new Lowpass(LFE_ORDER, LFE_HZ, UPMIX_RATE);
  /** The last samples, and what is low in them, each at its position modulo the length. */
  readonly #left = new Float64Array(LINE);
  readonly #right = new Float64Array(LINE);
  readonly #low = new Float64Array(LINE);
  readonly #frame = { left: new Float64Array(FRAME), right: new Float64Array(FRAME) };
  /** Samples taken, zeros after the end included. */
  #taken = 0;
  /** Samples of the programme, once its end is known. */
  #end = Number.POSITIVE_INFINITY;
  /** What is ready and not given back yet. */
  #ready: Float32Array;
  #readyLength = 0;

  constructor({ source, layout, gain = 1 }: UpmixerOptions) {
    this.#channels = CHANNELS[layout].length;
    this.#isMono = source === 'mono';
    this.#gain = gain;
    this.#hasSides = layout === '7.1';
    this.#separator = new FrameSeparator(this.#hasSides);
    this.#ready = new Float32Array(this.#channels * LINE);
  }

  /**
   * Takes samples, channels interleaved. Values that are not finite count as 0.
   * @returns What is ready of the result, channels interleaved in the order of `CHANNELS`.
   */
  push(samples: Float32Array): Float32Array {
    const step = this.#isMono ? 1 : 2;
    this.#ready = new Float32Array(this.#channels * (samples.length / step + HOP));
    this.#readyLength = 0;
    for (let at = 0; at + step <= samples.length; at += step) this.#take(samples[at]!, samples[at + step - 1]!);
    return this.#ready.subarray(0, this.#readyLength);
  }

  /** @returns The rest: with it, each channel has as many samples as were put in. */
  finish(): Float32Array {
    this.#end = this.#taken;
    this.#ready = new Float32Array(this.#channels * (LINE + HOP));
    this.#readyLength = 0;
    while (this.#taken < this.#end + LINE) this.#take(0, 0);
    return this.#ready.subarray(0, this.#readyLength);
  }

  #take(left: number, right: number): void {
    const at = this.#taken % LINE;
    this.#left[at] = Number.isFinite(left) ? left : 0;
    this.#right[at] = Number.isFinite(right) ? right : 0;
    this.#low[at] = this.#lowpass.next(this.#left[at]! + this.#right[at]!);
    this.#taken += 1;
    if (this.#taken % HOP !== 0) return;
    if (this.#isMono) this.#write(null);
    else this.#write(this.#separated());
  }

  /** Separates the last frame. */
  #separated(): SeparatedSamples {
    const { left, right } = this.#frame;
    const from = this.#taken - FRAME + LINE;
    for (let index = 0; index < FRAME; index += 1) {
      left[index] = this.#left[(from + index) % LINE]!;
      right[index] = this.#right[(from + index) % LINE]!;
    }
    return this.#separator.next(left, right);
  }

  /** Writes the hop that is ready: the first one in the delay lines. */
  #write(separated: SeparatedSamples | null): void {
    const out = this.#ready;
    const gain = this.#gain;
    for (let index = 0; index < HOP; index += 1) {
      const position = this.#taken - LINE + index;
      if (position < 0 || position >= this.#end) continue;
      const at = this.#readyLength;
      this.#readyLength += this.#channels;
      const left = this.#left[position % LINE]!;
      out[at + 3] = gain * LFE_GAIN * this.#fade(position) * this.#low[(position + this.#lowpass.delay) % LINE]!;
      if (separated === null) {
        out[at + 2] = gain * left;
        continue;
      }
      const right = this.#right[position % LINE]!;
      this.#writeSurround(at, separated, index);
      // Of what is in the file, whose samples have 32 bits.
      out[at + 2] = (gain / DOWNMIX_GAIN) * separated.centre[index]!;
      const [aroundLeft, aroundRight] = this.#hasSides
        ? [out[at + 4]! + out[at + 6]!, out[at + 5]! + out[at + 7]!]
        : [out[at + 4]!, out[at + 5]!];
      out[at] = gain * left - DOWNMIX_GAIN * (out[at + 2]! + aroundLeft);
      out[at + 1] = gain * right - DOWNMIX_GAIN * (out[at + 2]! + aroundRight);
    }
  }

  /** Gain of LFE at a position. */
  #fade(position: number): number {
    const place = Math.min(position + 0.5, this.#end - position - 0.5) / LFE_FADE;
    return place >= 1 ? 1 : Math.sin((Math.PI / 2) * place) ** 2;
  }

  #writeSurround(at: number, { left, right, sideLeft, sideRight }: SeparatedSamples, index: number): void {
    const scale = this.#gain / DOWNMIX_GAIN;
    const out = this.#ready;
    if (!this.#hasSides) {
      out[at + 4] = scale * left[index]!;
      out[at + 5] = scale * right[index]!;
      return;
    }
    out[at + 6] = scale * sideLeft[index]!;
    out[at + 7] = scale * sideRight[index]!;
    out[at + 4] = scale * (left[index]! - sideLeft[index]!);
    out[at + 5] = scale * (right[index]! - sideRight[index]!);
  }
}
