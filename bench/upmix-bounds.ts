import { sdrDb } from '../server/src/media/upmix/acoustics.fixture.ts';
import { Fft } from '../server/src/media/upmix/fft.ts';
import { FRAME, HOP } from '../server/src/media/upmix/frames.ts';
import type { Scene } from '../server/src/media/upmix/scenes.fixture.ts';

/** Surround SDR in dB that gains of 0 to 1 for each bin of each frame reach, in the worse surround. */
export interface Bounds {
  /** With the gains that have the least error. They follow from the stems. */
  readonly bestGainsDb: number;
  /** With the share of ambience in the power of all stems, exactly known in each bin of each frame. */
  readonly exactPowersDb: number;
}

type Gain = (stems: readonly Complex[], bin: number) => number;
interface Complex {
  readonly re: Float64Array;
  readonly im: Float64Array;
}

/** What no separation by gains for each bin can exceed, with the frames of `media/upmix`. */
export function boundsOf({ dialogue, panned, ambience }: Scene): Bounds {
  const worse = (gain: Gain) =>
    Math.min(
      ...(['left', 'right'] as const).map((side) =>
        sdrDb(masked([dialogue[side], panned[side], ambience[side]], gain), ambience[side]),
      ),
    );
  return { bestGainsDb: worse(bestGain), exactPowersDb: worse(powerShare) };
}

const powerOf = ({ re, im }: Complex, bin: number) => re[bin]! ** 2 + im[bin]! ** 2;

const powerShare: Gain = (stems, bin) => {
  const all = stems.reduce((sum, stem) => sum + powerOf(stem, bin), 0);
  return all === 0 ? 0 : powerOf(stems.at(-1)!, bin) / all;
};

const bestGain: Gain = (stems, bin) => {
  const [re, im] = sumAt(stems, bin);
  const power = re * re + im * im;
  const ambience = stems.at(-1)!;
  return power === 0 ? 0 : Math.min(1, Math.max(0, (re * ambience.re[bin]! + im * ambience.im[bin]!) / power));
};

function sumAt(stems: readonly Complex[], bin: number): [re: number, im: number] {
  return [stems.reduce((sum, { re }) => sum + re[bin]!, 0), stems.reduce((sum, { im }) => sum + im[bin]!, 0)];
}

/** The sum of stems of one channel, each bin of each frame of it with a gain. */
function masked(stems: readonly Float32Array[], gain: Gain): Float32Array {
  const fft = new Fft(FRAME);
  const window = Float64Array.from({ length: FRAME }, (_, index) => Math.sin((Math.PI * (index + 0.5)) / FRAME));
  const length = stems[0]!.length;
  const result = new Float32Array(length);
  for (let start = -HOP; start < length; start += HOP) {
    const spectra = stems.map((stem) => {
      const re = window.map((value, index) => value * (stem[start + index] ?? 0));
      const im = new Float64Array(FRAME);
      fft.forward(re, im);
      return { re, im };
    });
    const [re, im] = [new Float64Array(FRAME), new Float64Array(FRAME)];
    for (let bin = 0; bin < FRAME; bin += 1) {
      const [sumRe, sumIm] = sumAt(spectra, bin);
      const factor = gain(spectra, bin) / FRAME;
      re[bin] = factor * sumRe;
      im[bin] = factor * sumIm;
    }
    fft.inverse(re, im);
    for (let index = Math.max(0, -start); index < Math.min(FRAME, length - start); index += 1)
      result[start + index]! += window[index]! * re[index]!;
  }
  return result;
}
