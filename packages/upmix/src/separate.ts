import { Decorrelator } from './decorrelator.ts';
import { type StereoSpectrum, spectrumOf } from './spectrum.ts';

/** What a frame consists of beside what stays in front at the left and at the right. */
export interface SeparatedFrame {
  /** What both channels share, as loud as it is in each of them. */
  readonly centreRe: Float64Array;
  readonly centreIm: Float64Array;
  /** Diffuse sound of each channel, for its surround loudspeakers. */
  readonly ambience: StereoSpectrum;
}

/** Frames before and after one from which its statistics are taken. */
const AROUND = 2;

/**
 * Powers measured in few values are never those of the sound: unrelated channels seem to be related. So much of the
 * determinant of the covariance is taken from the squares of the imbalance and of the covariance for it.
 */
const CHANCE = 0.4;
/** Less of it from the part in phase: what is in both channels must not get into the surround. */
const CHANCE_IN_PHASE = 0.13;
/** Where the weaker channel has less than this of what is common, its source is beside the centre. */
const BESIDE = 0.5;
const IN_CENTRE = 0.95;
/** Where both models of the front disagree (see `split`), ambience is so far between what they say. */
const BETWEEN_MODELS = 0.5;
/** Ambience is steady: at most so much above its geometric mean in neighbouring bins and the last 150 ms. */
const MOST_ABOVE_MEAN = 3;
const MEAN_SPEED = 0.3;
/** The mean follows a rise to a tenth at once. */
const MEAN_LAG = Math.log(10);
/** A frame may have so much more power than those around it before the rest of it counts as the onset of a source. */
const MOST_ABOVE_AROUND = 2.5;
/** Of the level of what is common, so much may stay in the surrounds: speech is part of it. */
const MOST_COMMON_AROUND = 10 ** (-33 / 20);
/** How much of a frame goes into the means that tell how much stays there. */
const COMMON_SPEED = 0.04;
/**
 * Of the ambience in front that goes to the surround. ITU-R BS.1770 weighs the surround more; with 0.52 ambience
 * would be exactly as loud as before.
 */
const SURROUND_LEVEL = 0.56;
/** Below the power of any sound, so that nothing is divided by 0. */
const NO_POWER = 1e-18;

/** Sums that tell how the channels of a frame relate. */
interface Powers {
  readonly left: Float64Array;
  readonly right: Float64Array;
  /** Of left and the conjugate of right. */
  readonly inPhase: Float64Array;
  readonly quadrature: Float64Array;
}

/**
 * Separates stereo into centre, ambience and the rest, frame by frame. In each bin, the covariance of both channels
 * tells the powers of what is common, of what is beside the centre, and of diffuse sound that is as strong in both
 * channels and unrelated. From them follow the estimates with the least error (multichannel Wiener filter), which are
 * weighted sums of both channels.
 */
export class Separator {
  readonly #bins: number;
  readonly #frames: { spectrum: StereoSpectrum; powers: Powers }[] = [];
  readonly #logMeans: Float64Array;
  readonly #sums: Float64Array;
  readonly #ambient: Float64Array;
  readonly #powers: Powers;
  readonly #raw: Powers;
  /** Powers of what is left of the frame without what both channels share. */
  readonly #rest: Pick<Powers, 'left' | 'right'>;
  readonly #correlations: Float64Array;
  /** Power of what both channels share, and the share of it that its estimate has. */
  readonly #common: Float64Array;
  readonly #wiener: Float64Array;
  /**
   * Means over a second: power of what is common; its amplitude times that of what the surrounds have of it; and by
   * how much the latter falls where `#without` is 1.
   */
  readonly #means = { common: 0, around: 0, certain: 0 };
  /**
   * From 0, the estimate of what is common that has the least error, to 1, the one that leaves nothing of it in the
   * surrounds, but takes ambience with it.
   */
  #without = 0;
  readonly #decorrelator = new Decorrelator();
  readonly #separated: SeparatedFrame;
  #isFirst = true;

  /** Frames that a result is behind what was put in. */
  static readonly delay = AROUND;

  constructor(bins: number) {
    this.#bins = bins;
    this.#logMeans = new Float64Array(bins);
    this.#sums = new Float64Array(bins + 1);
    this.#ambient = new Float64Array(bins);
    this.#powers = powersOf(bins);
    this.#raw = powersOf(bins);
    this.#rest = powersOf(bins);
    this.#correlations = new Float64Array(bins);
    this.#common = new Float64Array(bins);
    this.#wiener = new Float64Array(bins);
    this.#separated = {
      centreRe: new Float64Array(bins),
      centreIm: new Float64Array(bins),
      ambience: spectrumOf(bins),
    };
    for (let index = 0; index <= 2 * AROUND; index += 1)
      this.#frames.push({ spectrum: spectrumOf(bins), powers: powersOf(bins) });
  }

  /** Takes a frame. @returns The one `delay` frames before it, until the next call. */
  next({ leftRe, leftIm, rightRe, rightIm }: StereoSpectrum): SeparatedFrame {
    const frames = this.#frames;
    const newest = frames.shift()!;
    frames.push(newest);
    newest.spectrum.leftRe.set(leftRe);
    newest.spectrum.leftIm.set(leftIm);
    newest.spectrum.rightRe.set(rightRe);
    newest.spectrum.rightIm.set(rightIm);
    this.#measure(newest.spectrum, newest.powers);
    for (const name of ['left', 'right', 'inPhase', 'quadrature'] as const) this.#sumUp(name);
    this.#correct();
    this.#steady();
    this.#split(frames[AROUND]!.spectrum);
    return this.#separated;
  }

  /** The powers of a frame, each over three bins. */
  #measure({ leftRe, leftIm, rightRe, rightIm }: StereoSpectrum, powers: Powers): void {
    const { left, right, inPhase, quadrature } = this.#raw;
    for (let bin = 0; bin < this.#bins; bin += 1) {
      const [lr, li, rr, ri] = [leftRe[bin]!, leftIm[bin]!, rightRe[bin]!, rightIm[bin]!];
      left[bin] = lr * lr + li * li;
      right[bin] = rr * rr + ri * ri;
      inPhase[bin] = lr * rr + li * ri;
      quadrature[bin] = li * rr - lr * ri;
    }
    smooth(left, powers.left);
    smooth(right, powers.right);
    smooth(inPhase, powers.inPhase);
    smooth(quadrature, powers.quadrature);
  }

  #sumUp(name: keyof Powers): void {
    const sum = this.#powers[name];
    sum.fill(0);
    for (let index = 0; index <= 2 * AROUND; index += 1) {
      const values = this.#frames[index]!.powers[name];
      for (let bin = 0; bin < sum.length; bin += 1) sum[bin]! += values[bin]! / (2 * AROUND + 1);
    }
  }

  /** Takes from the powers what chance adds to them, and finds the power of ambience in each channel. */
  #correct(): void {
    const { left, right, inPhase, quadrature } = this.#powers;
    for (let bin = 0; bin < this.#bins; bin += 1) {
      const mean = (left[bin]! + right[bin]!) / 2;
      const difference = (left[bin]! - right[bin]!) / 2;
      const square = inPhase[bin]! ** 2 + quadrature[bin]! ** 2;
      const determinant = Math.max(0, left[bin]! * right[bin]! - square);
      const chance = CHANCE * determinant;
      const imbalance = Math.sign(difference) * Math.sqrt(Math.max(0, difference * difference - chance));
      const common = Math.max(0, inPhase[bin]! ** 2 - CHANCE_IN_PHASE * determinant);
      const other = Math.max(0, quadrature[bin]! ** 2 - chance);
      left[bin] = mean + imbalance;
      right[bin] = mean - imbalance;
      inPhase[bin] = Math.sign(inPhase[bin]!) * Math.sqrt(common);
      // What a single source in any direction leaves: the smaller eigenvalue.
      const oneSource = Math.max(0, mean - Math.sqrt(imbalance * imbalance + common + other));
      const weaker = mean - Math.abs(imbalance);
      // What a source in the centre and one at the side leave.
      const twoSources = Math.min(oneSource, weaker - Math.min(weaker, Math.max(0, inPhase[bin]!)));
      this.#ambient[bin] = twoSources + BETWEEN_MODELS * (oneSource - twoSources);
    }
  }

  /** Limits ambience to what is steady: the rest are sources that share a bin by chance. */
  #steady(): void {
    const ambient = this.#ambient;
    const sums = this.#sums;
    for (let bin = 0; bin < this.#bins; bin += 1) sums[bin + 1] = sums[bin]! + Math.log(ambient[bin]! + NO_POWER);
    for (let bin = 0; bin < this.#bins; bin += 1) {
      const width = Math.max(4, Math.round(0.06 * bin));
      const first = Math.max(0, bin - width);
      const end = Math.min(this.#bins, bin + width + 1);
      const value = (sums[end]! - sums[first]!) / (end - first);
      const before = this.#isFirst ? value : Math.max(this.#logMeans[bin]!, value - MEAN_LAG);
      const mean = before + MEAN_SPEED * (value - before);
      this.#logMeans[bin] = mean;
      ambient[bin] = Math.min(ambient[bin]!, MOST_ABOVE_MEAN * Math.exp(mean));
    }
    this.#isFirst = false;
  }

  /** Applies the weights that follow from the powers to a frame. */
  #split(spectrum: StereoSpectrum): void {
    this.#takeCentre(spectrum);
    this.#takeAmbience();
    this.#decorrelator.apply(this.#separated.ambience, this.#correlations);
  }

  /** Finds the centre, and what is left of both channels without what they share. */
  #takeCentre({ leftRe, leftIm, rightRe, rightIm }: StereoSpectrum): void {
    const { left, right, inPhase } = this.#powers;
    const { centreRe, centreIm, ambience: rest } = this.#separated;
    for (let bin = 0; bin < this.#bins; bin += 1) {
      const ambient = this.#ambient[bin]!;
      const weaker = Math.min(left[bin]!, right[bin]!);
      const common = Math.max(0, Math.min(inPhase[bin]!, weaker - ambient));
      const onlyLeft = Math.max(left[bin]! - common, ambient) + NO_POWER;
      const onlyRight = Math.max(right[bin]! - common, ambient) + NO_POWER;
      const only = onlyLeft + onlyRight;
      const wiener = (common * only) / (onlyLeft * onlyRight + common * only);
      const re = (wiener / only) * (onlyRight * leftRe[bin]! + onlyLeft * rightRe[bin]!);
      const im = (wiener / only) * (onlyRight * leftIm[bin]! + onlyLeft * rightIm[bin]!);
      const share = inPhase[bin]! > 0 ? centred(weaker / inPhase[bin]!) : 1;
      const toCentre = share * (decided(wiener) / (wiener + NO_POWER));
      centreRe[bin] = toCentre * re;
      centreIm[bin] = toCentre * im;
      const without = 1 + (this.#without * certainty(wiener) * (1 - wiener)) / (wiener + NO_POWER);
      rest.leftRe[bin] = leftRe[bin]! - without * re;
      rest.leftIm[bin] = leftIm[bin]! - without * im;
      rest.rightRe[bin] = rightRe[bin]! - without * re;
      rest.rightIm[bin] = rightIm[bin]! - without * im;
      // By how much the power of each channel falls, which both have in common with the opposite sign.
      const taken = common * (2 * without - 1 - without * without * wiener);
      const powers = Math.max(onlyLeft - taken, NO_POWER) * Math.max(onlyRight - taken, NO_POWER);
      this.#correlations[bin] = Math.min(1, Math.max(0, taken) / Math.sqrt(powers));
      left[bin] = onlyLeft;
      right[bin] = onlyRight;
      this.#common[bin] = common;
      this.#wiener[bin] = wiener;
    }
  }

  /** Weighs what is left by the share of ambience in it. */
  #takeAmbience(): void {
    const { left, right } = this.#powers;
    const { leftRe, leftIm, rightRe, rightIm } = this.#separated.ambience;
    for (let bin = 0; bin < this.#bins; bin += 1) {
      this.#raw.left[bin] = leftRe[bin]! ** 2 + leftIm[bin]! ** 2;
      this.#raw.right[bin] = rightRe[bin]! ** 2 + rightIm[bin]! ** 2;
    }
    smooth(this.#raw.left, this.#rest.left);
    smooth(this.#raw.right, this.#rest.right);
    let [common, around, certain] = [0, 0, 0];
    for (let bin = 0; bin < this.#bins; bin += 1) {
      const level = SURROUND_LEVEL * this.#ambient[bin]!;
      const toLeft = level / Math.max(left[bin]!, this.#rest.left[bin]! / MOST_ABOVE_AROUND);
      const toRight = level / Math.max(right[bin]!, this.#rest.right[bin]! / MOST_ABOVE_AROUND);
      leftRe[bin]! *= toLeft;
      leftIm[bin]! *= toLeft;
      rightRe[bin]! *= toRight;
      rightIm[bin]! *= toRight;
      const missed = ((toLeft + toRight) / 2) * (1 - this.#wiener[bin]!) * this.#common[bin]!;
      common += this.#common[bin]!;
      around += missed;
      certain += certainty(this.#wiener[bin]!) * missed;
    }
    this.#limitCommon(common, around, certain);
  }

  /** Chooses how much of what is common is taken from the surrounds of the next frame. */
  #limitCommon(common: number, around: number, certain: number): void {
    const means = this.#means;
    means.common += COMMON_SPEED * (common - means.common);
    means.around += COMMON_SPEED * (around - means.around);
    means.certain += COMMON_SPEED * (certain - means.certain);
    const tooMuch = means.around - MOST_COMMON_AROUND * means.common;
    this.#without = Math.min(1, Math.max(0, tooMuch) / (means.certain + NO_POWER));
  }
}

/** From 0 to 1: how sure it is that most of a bin is common, of which this is the share. */
function certainty(share: number): number {
  const square = share * share;
  return square / (square + (1 - share) * (1 - share));
}

/** From 0 beside the centre to 1 in it, smoothly. */
function centred(balance: number): number {
  const place = Math.min(1, Math.max(0, (balance - BESIDE) / (IN_CENTRE - BESIDE)));
  return place * place * (3 - 2 * place);
}

/**
 * A gain between 0 and 1, moved away from the middle. What is played by two loudspeakers in equal parts is as loud in
 * the downmix as before, but has half the power where it is played.
 */
function decided(gain: number): number {
  const power = gain ** 5;
  return power / (power + (1 - gain) ** 5);
}

/** Mean of each value and those beside it, which count half; at the ends, values are mirrored. */
function smooth(values: Float64Array, into: Float64Array): void {
  const last = values.length - 1;
  for (let index = 1; index < last; index += 1)
    into[index] = (values[index - 1]! + 2 * values[index]! + values[index + 1]!) / 4;
  into[0] = (values[0]! + values[1]!) / 2;
  into[last] = (values[last]! + values[last - 1]!) / 2;
}

function powersOf(bins: number): Powers {
  const zeros = () => new Float64Array(bins);
  return { left: zeros(), right: zeros(), inPhase: zeros(), quadrature: zeros() };
}
