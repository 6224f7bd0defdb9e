import { CutFinder } from './cuts.ts';
import { cropped, type Filter, type Luma, resample } from './resample.ts';

/** Weights are whole numbers of these: 0 leaves nothing of the model, `WEIGHTS` all of it. */
export const WEIGHTS = 16;

/** How the frames of a scene are enlarged. */
export interface Scene {
  /** In the whole video, from 0. */
  readonly startFrame: number;
  /** Of what the model makes beside the filter, 0 to `WEIGHTS`. */
  readonly weight: number;
  readonly filter: Filter;
}

/** What was measured of a video. */
export interface GateFigures {
  /** How many there are; neighbours may be enlarged in the same way. */
  readonly scenes: number;
  /** Frames that were tested. */
  readonly tested: number;
  /** Share of the frames that are enlarged with the model. */
  readonly enhancedPercent: number;
  /** Gain over bicubic enlargement in these, in dB of PSNR of luma, in the test; 0 for none. */
  readonly gainDb: number;
  /** The picture of the test, which was made smaller and enlarged again. Absent in plans of earlier versions. */
  readonly picture?: TestedPicture;
}

/** The size of the frames in a test, and what they were made to before they were enlarged again. */
export interface TestedPicture {
  readonly width: number;
  readonly height: number;
  readonly madeWidth: number;
  readonly madeHeight: number;
}

export interface Gated {
  /** At least one; neighbours differ. */
  readonly scenes: readonly Scene[];
  readonly figures: GateFigures;
}

export interface GateOptions {
  /** Of the enlargement. */
  readonly factor: number;
  /** Frames per second, for how often it is tested. */
  readonly framesPerSecond: number;
  /** What the models make of a picture: one that is wider and higher by the factor. */
  readonly enlarge: (picture: Luma) => Promise<Luma>;
}

/** A pair of frames is tested so often. */
const TEST_SECONDS = 0.5;
/** Scenes are no shorter, and no more are told apart: more than this are effects. */
const SHORTEST_SECONDS = 0.4;
const MOST_SCENES = 8_000;
/** Less is not seen, and may be chance. */
const LEAST_GAIN_DB = 0.1;
/** The test flatters Lanczos: what codecs leave is smoother when it is made smaller. */
const LEAST_LANCZOS_DB = 0.5;
/** A picture whose changes have so much less error than itself stands still: nobody sees what a codec changes of it. */
const STILL_SHARE = 0.001;
/** Where bicubic enlargement has this error (54 dB), there is nothing to restore: the picture is soft. */
const LEAST_ERROR = 0.25;

/**
 * Decides for each scene of a video how much of what a model makes is used. Frames are made smaller, enlarged again,
 * and compared with themselves: the weight is what comes closest to them. It is no more than what comes closest to
 * their change from frame to frame, because details that flicker are worse than none. Where the model gains nothing,
 * the filter that comes closer is used alone.
 */
export class Gate {
  readonly #options: GateOptions;
  readonly #cuts = new CutFinder();
  readonly #measured: MeasuredScene[] = [];
  #frames = 0;
  #before: Tested | null = null;
  #picture: TestedPicture | null = null;

  constructor(options: GateOptions) {
    this.#options = options;
  }

  /** Takes the next frame of the video. */
  async push(frame: Luma): Promise<void> {
    const { framesPerSecond } = this.#options;
    const number = this.#frames;
    this.#frames += 1;
    const isCut = this.#cuts.isCut(frame);
    const last = this.#measured.at(-1);
    const isLong = last && number - last.startFrame >= SHORTEST_SECONDS * framesPerSecond;
    const scene = !last || (isCut && isLong && this.#measured.length < MOST_SCENES) ? this.#begin(number) : last;
    const phase = (number - scene.startFrame) % Math.max(2, Math.round(TEST_SECONDS * framesPerSecond));
    const { factor } = this.#options;
    if (phase > 1 || Math.min(frame.width, frame.height) < factor) {
      this.#before = null;
      return;
    }
    const tested = await this.#test(frame);
    scene.tested += 1;
    addErrors(scene.still, tested, null);
    if (phase === 1 && this.#before) addErrors(scene.moving, tested, this.#before);
    this.#before = tested;
  }

  /** The scenes of the video. At least one frame was pushed. */
  finish(): Gated {
    const decided = this.#measured.map((scene, at) => {
      const end = this.#measured[at + 1]?.startFrame ?? this.#frames;
      return { ...decide(scene), startFrame: scene.startFrame, frames: end - scene.startFrame, tested: scene.tested };
    });
    const enhanced = decided.filter(({ weight }) => weight > 0);
    const framesOf = (scenes: readonly { frames: number }[]) => scenes.reduce((sum, { frames }) => sum + frames, 0);
    const gainDb = enhanced.reduce((sum, { gainDb: gain, frames }) => sum + gain * frames, 0);
    const scenes = decided.map(({ startFrame, weight, filter }): Scene => ({ startFrame, weight, filter }));
    return {
      scenes: scenes.filter(({ weight, filter }, at) => {
        const before = scenes[at - 1];
        return before?.weight !== weight || before.filter !== filter;
      }),
      figures: {
        scenes: decided.length,
        tested: decided.reduce((sum, { tested }) => sum + tested, 0),
        enhancedPercent: (100 * framesOf(enhanced)) / Math.max(1, this.#frames),
        gainDb: gainDb / Math.max(1, framesOf(enhanced)),
        ...(this.#picture ? { picture: this.#picture } : {}),
      },
    };
  }

  #begin(startFrame: number): MeasuredScene {
    const scene = { startFrame, tested: 0, still: noErrors(), moving: noErrors() };
    this.#measured.push(scene);
    this.#before = null;
    return scene;
  }

  async #test(frame: Luma): Promise<Tested> {
    const { factor, enlarge } = this.#options;
    const small = { width: Math.floor(frame.width / factor), height: Math.floor(frame.height / factor) };
    const [width, height] = [small.width * factor, small.height * factor];
    this.#picture = { width, height, madeWidth: small.width, madeHeight: small.height };
    const original = cropped(frame, { left: 0, top: 0, width, height });
    const given = resample(original, small, 'bicubic');
    return {
      original,
      bicubic: resample(given, original, 'bicubic').pixels,
      lanczos: resample(given, original, 'lanczos').pixels,
      model: (await enlarge(given)).pixels,
      border: factor,
    };
  }
}

/** Scenes as a short text: thousands of them are an argument of a program. Pure. */
export function spellScenes(scenes: readonly Scene[]): string {
  return scenes.map(({ startFrame, weight, filter }) => `${startFrame}:${weight}:${filter.charAt(0)}`).join(',');
}

/** The scenes of a text of `spellScenes`. Pure. */
export function readScenes(text: string): Scene[] {
  if (text === '') return [];
  return text.split(',').map((scene) => {
    const [startFrame, weight, filter] = scene.split(':');
    return { startFrame: Number(startFrame), weight: Number(weight), filter: filter === 'l' ? 'lanczos' : 'bicubic' };
  });
}

/** The scene of a frame. Scenes follow each other. Pure. */
export function sceneAt(scenes: readonly Scene[], frame: number): Scene {
  const scene = scenes.findLast(({ startFrame }) => startFrame <= frame);
  if (!scene) throw new Error(`There is no scene at the frame ${frame}.`);
  return scene;
}

interface MeasuredScene {
  readonly startFrame: number;
  tested: number;
  /** Of frames, and of their change to the next one. */
  readonly still: Errors;
  readonly moving: Errors;
}

/** A frame, and what was made of it when it had been made smaller. */
interface Tested {
  readonly original: Luma;
  readonly bicubic: Uint8Array;
  readonly lanczos: Uint8Array;
  readonly model: Uint8Array;
  /** Pixels on each side that do not count. */
  readonly border: number;
}

/** Sums over pixels: squares of errors, and those from which the best weight follows. */
interface Errors {
  bicubic: number;
  lanczos: number;
  /** Of the difference between the model and bicubic enlargement: its square, and its product with that error. */
  difference: number;
  product: number;
  pixels: number;
}

function noErrors(): Errors {
  return { bicubic: 0, lanczos: 0, difference: 0, product: 0, pixels: 0 };
}

function addErrors(sums: Errors, now: Tested, before: Tested | null): void {
  const { width, height, pixels: original } = now.original;
  const { border, bicubic, lanczos, model } = now;
  for (let y = border; y < height - border; y += 1)
    for (let at = y * width + border; at < (y + 1) * width - border; at += 1) {
      const earlier = before ? before.bicubic[at]! : 0;
      const own = original[at]! - (before ? before.original.pixels[at]! : 0);
      const plain = bicubic[at]! - earlier;
      const difference = model[at]! - (before ? before.model[at]! : 0) - plain;
      const error = own - plain;
      sums.bicubic += error * error;
      sums.lanczos += (lanczos[at]! - (before ? before.lanczos[at]! : 0) - own) ** 2;
      sums.difference += difference * difference;
      sums.product += difference * error;
    }
  sums.pixels += Math.max(0, width - 2 * border) * Math.max(0, height - 2 * border);
}

/** What is made of a scene, and the gain over bicubic enlargement. Pure. */
function decide({ still, moving }: MeasuredScene): { weight: number; filter: Filter; gainDb: number } {
  const best = ({ difference, product }: Errors) => (difference === 0 ? 0 : product / difference);
  const own = Math.min(1, Math.max(0, best(still)));
  const flicker = Math.max(moving.bicubic, errorAt(moving, own));
  const isStill = flicker * still.pixels < STILL_SHARE * still.bicubic * moving.pixels;
  const most = isStill || moving.pixels === 0 ? own : Math.min(own, Math.max(0, best(moving)));
  const weight = Math.floor(WEIGHTS * most);
  const gainDb = decibels(still.bicubic, errorAt(still, weight / WEIGHTS));
  const isSoft = still.bicubic < LEAST_ERROR * still.pixels;
  if (weight > 0 && gainDb >= LEAST_GAIN_DB && !isSoft) return { weight, filter: 'bicubic', gainDb };
  const isSharper = !isSoft && decibels(still.bicubic, still.lanczos) >= LEAST_LANCZOS_DB;
  return { weight: 0, filter: isSharper ? 'lanczos' : 'bicubic', gainDb: 0 };
}

/** Of the model with a weight from 0 to 1. */
function errorAt({ bicubic, product, difference }: Errors, weight: number): number {
  return bicubic - 2 * weight * product + weight * weight * difference;
}

/** By how much the second error is smaller. */
function decibels(error: number, left: number): number {
  return error === 0 ? 0 : 10 * Math.log10(error / Math.max(left, Number.MIN_VALUE));
}
