import { sdrDb } from '../packages/upmix/src/acoustics.fixture.ts';
import { Fft } from '../packages/upmix/src/fft.ts';
import { FRAME, HOP } from '../packages/upmix/src/frames.ts';
import type { Scene } from '../packages/upmix/src/scenes.fixture.ts';
import { Separator } from '../packages/upmix/src/separate.ts';

/** Surround SDR in dB, in the worse surround, that separations reach which know the stems. */
export interface Bounds {
  /** With the gain from 0 to 1 of each bin of its channel that has the least error. */
  readonly gainsDb: number;
  /** With the weights of both channels that follow from the powers of all stems in this bin of this frame. */
  readonly powersDb: number;
  /** From the same powers, averaged over as many frames and bins as an upmix measures them in. */
  readonly averagedDb: number;
}

interface Complex {
  readonly re: Float64Array;
  readonly im: Float64Array;
}
/** Spectra of a frame. */
interface Frame {
  readonly start: number;
  /** Of left and right. */
  readonly mix: readonly [Complex, Complex];
  readonly ambience: readonly [Complex, Complex];
  readonly powers: Powers;
}
/** Covariance of both channels, of all stems together, and the power of ambience in each channel. */
type Powers = Readonly<Record<'left' | 'right' | 'inPhase' | 'quadrature' | 'ambience', Float64Array>>;
const POWERS = ['left', 'right', 'inPhase', 'quadrature', 'ambience'] as const;
/** The spectrum of the ambience of one side in a frame. */
type Estimate = (frame: Frame, index: number, side: 0 | 1) => Complex;

/** What separations that know the stems of a scene reach with the frames of `media/upmix`. */
export function boundsOf(scene: Scene): Bounds {
  const fft = new Fft(FRAME);
  const frames: Frame[] = [];
  for (let start = -HOP; start < scene.dialogue.left.length; start += HOP) frames.push(frameOf(scene, start, fft));
  const averages = frames.map((_, index) => averaged(frames, index));
  const worse = (estimate: Estimate) => {
    const sdrOf = (side: 0 | 1) => {
      const stem = side === 0 ? scene.ambience.left : scene.ambience.right;
      return sdrDb(
        synthesized(frames, (frame, index) => estimate(frame, index, side), stem.length, fft),
        stem,
      );
    };
    return Math.min(sdrOf(0), sdrOf(1));
  };
  return {
    gainsDb: worse(withBestGains),
    powersDb: worse((frame, _, side) => weighted(frame, frame.powers, side)),
    averagedDb: worse((frame, index, side) => weighted(frame, averages[index]!, side)),
  };
}

const WINDOW = Float64Array.from({ length: FRAME }, (_, index) => Math.sin((Math.PI * (index + 0.5)) / FRAME));

function frameOf({ dialogue, panned, ambience }: Scene, start: number, fft: Fft): Frame {
  const spectrum = (samples: Float32Array): Complex => {
    const re = WINDOW.map((value, index) => value * (samples[start + index] ?? 0));
    const im = new Float64Array(FRAME);
    fft.forward(re, im);
    return { re, im };
  };
  // Dialogue is the same on both sides.
  const spoken = spectrum(dialogue.left);
  const beside = [spectrum(panned.left), spectrum(panned.right)] as const;
  const around = [spectrum(ambience.left), spectrum(ambience.right)] as const;
  const [left, right] = beside;
  const power = ({ re, im }: Complex, bin: number) => re[bin]! ** 2 + im[bin]! ** 2;
  const perBin = (value: (bin: number) => number) => Float64Array.from({ length: FRAME }, (_, bin) => value(bin));
  const diffuse = perBin((bin) => (power(around[0], bin) + power(around[1], bin)) / 2);
  return {
    start,
    mix: [sum(spoken, left, around[0]), sum(spoken, right, around[1])],
    ambience: around,
    powers: {
      left: perBin((bin) => power(spoken, bin) + power(left, bin) + diffuse[bin]!),
      right: perBin((bin) => power(spoken, bin) + power(right, bin) + diffuse[bin]!),
      inPhase: perBin((bin) => power(spoken, bin) + left.re[bin]! * right.re[bin]! + left.im[bin]! * right.im[bin]!),
      quadrature: perBin((bin) => left.im[bin]! * right.re[bin]! - left.re[bin]! * right.im[bin]!),
      ambience: diffuse,
    },
  };
}

function sum(...parts: readonly Complex[]): Complex {
  const add = (name: 're' | 'im') =>
    parts[0]![name].map((_, bin) => parts.reduce((total, part) => total + part[name][bin]!, 0));
  return { re: add('re'), im: add('im') };
}

/** Mean of the frames around one, and of three bins. */
function averaged(frames: readonly Frame[], index: number): Powers {
  const around = frames.slice(Math.max(0, index - Separator.delay), index + Separator.delay + 1);
  const mean = (name: keyof Powers) => {
    const means = frames[index]!.powers[name].map((_, bin) =>
      around.reduce((total, { powers }) => total + powers[name][bin]! / around.length, 0),
    );
    const at = (bin: number) => means[(bin + FRAME) % FRAME]!;
    return means.map((value, bin) => (at(bin - 1) + 2 * value + at(bin + 1)) / 4);
  };
  return Object.fromEntries(POWERS.map((name) => [name, mean(name)])) as unknown as Powers;
}

const withBestGains: Estimate = ({ mix, ambience }, _, side) => {
  const [{ re, im }, stem] = [mix[side], ambience[side]];
  const gains = re.map((value, bin) => {
    const power = value * value + im[bin]! ** 2;
    const shared = value * stem.re[bin]! + im[bin]! * stem.im[bin]!;
    return power === 0 ? 0 : Math.min(1, Math.max(0, shared / power));
  });
  return { re: re.map((value, bin) => gains[bin]! * value), im: im.map((value, bin) => gains[bin]! * value) };
};

/** The weighted sum of both channels with the least error (multichannel Wiener filter). */
function weighted({ mix }: Frame, powers: Powers, side: 0 | 1): Complex {
  const [own, other] = side === 0 ? mix : [mix[1], mix[0]];
  const opposite = side === 0 ? powers.right : powers.left;
  const [re, im] = [new Float64Array(FRAME), new Float64Array(FRAME)];
  for (let bin = 0; bin < FRAME; bin += 1) {
    const inPhase = powers.inPhase[bin]!;
    const quadrature = (side === 0 ? 1 : -1) * powers.quadrature[bin]!;
    const determinant = powers.left[bin]! * powers.right[bin]! - inPhase ** 2 - quadrature ** 2;
    if (determinant <= 0) continue;
    const factor = powers.ambience[bin]! / determinant;
    const [otherRe, otherIm] = [other.re[bin]!, other.im[bin]!];
    re[bin] = factor * (opposite[bin]! * own.re[bin]! - inPhase * otherRe + quadrature * otherIm);
    im[bin] = factor * (opposite[bin]! * own.im[bin]! - inPhase * otherIm - quadrature * otherRe);
  }
  return { re, im };
}

function synthesized(
  frames: readonly Frame[],
  estimate: (frame: Frame, index: number) => Complex,
  length: number,
  fft: Fft,
): Float32Array {
  const result = new Float32Array(length);
  for (const [at, frame] of frames.entries()) {
    const { re, im } = estimate(frame, at);
    fft.inverse(re, im);
    const { start } = frame;
    for (let index = Math.max(0, -start); index < Math.min(FRAME, length - start); index += 1)
      result[start + index]! += (WINDOW[index]! * re[index]!) / FRAME;
  }
  return result;
}
