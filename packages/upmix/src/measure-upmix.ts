import { CHANNELS, DOWNMIX_GAIN, type UpmixLayout, type UpmixSource } from './layouts.ts';
import { ProgrammeLoudness } from './programme-loudness.ts';
import { TruePeak } from './true-peak.ts';
import { Upmixer } from './upmixer.ts';

/** What was measured of an upmix without gain. Plain data: stored as JSON. */
export interface UpmixFigures {
  /** Of each channel. */
  readonly samples: number;
  /** The highest value at and between samples, of 7.1 also where it is mixed to 5.1, in dBTP; null for silence. */
  readonly truePeakDbtp: number | null;
  /** ITU-R BS.1770, in LUFS; null for silence. */
  readonly sourceLufs: number | null;
  readonly upmixLufs: number | null;
  /** Of the Lo/Ro downmix against the source, in dB; null where they are equal. */
  readonly downmixSnrDb: number | null;
  /** Power in percent of that of all channels but LFE. */
  readonly centrePercent: number;
  readonly surroundPercent: number;
}

/** 24 bits of integers have more noise. */
const MOST_SNR_DB = 200;

/** Upmixes a programme block by block without gain, and measures the result. */
export class UpmixMeter {
  readonly #upmixer: Upmixer;
  readonly #source: UpmixSource;
  readonly #names: readonly string[];
  readonly #sourceLoudness: ProgrammeLoudness;
  readonly #loudness: ProgrammeLoudness;
  readonly #peaks: TruePeak[];
  /** Of the surrounds of the 5.1 that 7.1 is mixed down to. */
  readonly #aroundPeaks = [new TruePeak(), new TruePeak()];
  readonly #powers: Float64Array;
  /** Source samples whose result is not ready yet. */
  #waiting = new Float32Array(0);
  #samples = 0;
  #signal = 0;
  #noise = 0;

  constructor(source: UpmixSource, layout: UpmixLayout) {
    this.#upmixer = new Upmixer({ source, layout });
    this.#source = source;
    this.#names = CHANNELS[layout];
    this.#sourceLoudness = new ProgrammeLoudness(CHANNELS[source].map(() => 1));
    this.#loudness = new ProgrammeLoudness(this.#names.map((name) => WEIGHTS[name] ?? 1));
    this.#peaks = this.#names.map(() => new TruePeak());
    this.#powers = new Float64Array(this.#names.length);
  }

  /** Takes samples, channels interleaved. */
  push(samples: Float32Array): void {
    const step = CHANNELS[this.#source].length;
    const finite = samples.map((sample) => (Number.isFinite(sample) ? sample : 0));
    for (let at = 0; at + step <= finite.length; at += step) this.#sourceLoudness.next(finite, at);
    const waiting = new Float32Array(this.#waiting.length + finite.length);
    waiting.set(this.#waiting);
    waiting.set(finite, this.#waiting.length);
    this.#waiting = waiting;
    this.#compare(this.#upmixer.push(finite));
  }

  /** @returns The figures of all that was put in. */
  finish(): UpmixFigures {
    this.#compare(this.#upmixer.finish());
    const peak = Math.max(...[...this.#peaks, ...this.#aroundPeaks].map(({ value }) => value));
    const total = this.#names.reduce((sum, name, index) => sum + (name === 'LFE' ? 0 : this.#powers[index]!), 0);
    const share = (isPart: (name: string) => boolean) =>
      total === 0
        ? 0
        : (100 / total) * this.#names.reduce((sum, name, at) => sum + (isPart(name) ? this.#powers[at]! : 0), 0);
    const snr = 10 * Math.log10(this.#signal / this.#noise);
    return {
      samples: this.#samples,
      truePeakDbtp: peak === 0 ? null : 20 * Math.log10(peak),
      sourceLufs: this.#sourceLoudness.lufs,
      upmixLufs: this.#loudness.lufs,
      downmixSnrDb: Number.isNaN(snr) || snr > MOST_SNR_DB ? null : snr,
      centrePercent: share((name) => name === 'FC'),
      surroundPercent: share((name) => WEIGHTS[name] === AROUND),
    };
  }

  #compare(result: Float32Array): void {
    const count = this.#names.length;
    const step = CHANNELS[this.#source].length;
    const samples = result.length / count;
    for (let sample = 0; sample < samples; sample += 1) {
      const at = sample * count;
      this.#loudness.next(result, at);
      const [left, right] = downmixed(result, at, count);
      // Mono is played by the centre alone: its downmix is lower by 3 dB.
      const scale = step === 1 ? DOWNMIX_GAIN : 1;
      const sourceLeft = scale * this.#waiting[sample * step]!;
      const sourceRight = scale * this.#waiting[sample * step + step - 1]!;
      this.#signal += sourceLeft ** 2 + sourceRight ** 2;
      this.#noise += (left - sourceLeft) ** 2 + (right - sourceRight) ** 2;
      if (count === 8)
        for (const [side, around] of this.#aroundPeaks.entries())
          around.next(result[at + 4 + side]! + result[at + 6 + side]!);
      for (let channel = 0; channel < count; channel += 1) {
        const value = result[at + channel]!;
        this.#powers[channel]! += value * value;
        this.#peaks[channel]!.next(value);
      }
    }
    this.#samples += samples;
    this.#waiting = this.#waiting.slice(samples * step);
  }
}

const AROUND = 1.41;
/** Weights of ITU-R BS.1770 other than 1. */
const WEIGHTS: Readonly<Record<string, number>> = { LFE: 0, BL: AROUND, BR: AROUND, SL: AROUND, SR: AROUND };

/** Lo and Ro of a sample of each of 6 or 8 channels (ITU-R BS.775). */
function downmixed(samples: Float32Array, at: number, count: number): [left: number, right: number] {
  const centre = samples[at + 2]!;
  const left = samples[at + 4]! + (count === 8 ? samples[at + 6]! : 0);
  const right = samples[at + 5]! + (count === 8 ? samples[at + 7]! : 0);
  return [samples[at]! + DOWNMIX_GAIN * (centre + left), samples[at + 1]! + DOWNMIX_GAIN * (centre + right)];
}

/** Peak of an upmix before it is encoded, which adds a little: the bar is -1 dBTP. */
const HIGHEST_DBTP = -1.5;

/** The gain with which no peak of an upmix is too high: 1 where none is. */
export function gainOf({ truePeakDbtp }: Pick<UpmixFigures, 'truePeakDbtp'>): number {
  return truePeakDbtp === null ? 1 : Math.min(1, 10 ** ((HIGHEST_DBTP - truePeakDbtp) / 20));
}
