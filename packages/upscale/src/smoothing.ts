import { type Scene, WEIGHTS } from './gate.ts';
import type { Luma } from './resample.ts';

/** A frame that was enlarged. */
export interface Enlarged {
  /** Luma before enlargement. */
  readonly given: Luma;
  /** Wider and higher by the factor, in parts of a level: `WEIGHTS` are one. */
  readonly luma: Uint16Array;
  /** Both planes. */
  readonly chroma: Uint8Array;
  /** The same object for all frames of a scene. */
  readonly scene: Scene;
}

/** Frames before and after a frame that it is smoothed with. */
export const SMOOTHED_FRAMES = 2;

/** Pixels to each side, in a frame that is not enlarged, that tell whether the picture around one stands still. */
const REACH = 2;
/** The weight of a frame itself. Others have weights from 0 to this. */
const OWN = 100;
/**
 * The mean change in levels at which nothing is taken of another frame: where some pixels become darker and some
 * brighter, as codecs change them, and where all change in the same way, as they do in motion and fades.
 */
const MOST_MIXED = 4;
const MOST_ALIKE = 1;

const PIXELS = (2 * REACH + 1) ** 2;
const MIXED = OWN / (MOST_MIXED * PIXELS);
const ALIKE = OWN / (MOST_ALIKE * PIXELS);

/** How much of another frame is used for each pixel that is not enlarged. */
type Weights = Uint8Array;

interface Weighed extends Enlarged {
  /** For the frame before it, and the one before that; null: nothing. The same are used for it there. */
  readonly still: readonly (Weights | null)[];
}

/**
 * Frames with less flicker: where the picture stands still, luma is the weighted mean with the frames around it. Models
 * make more of the small changes that codecs leave there than interpolation does. Frames of other scenes are not used,
 * and none in scenes that are enlarged without a model. Yields luma, then chroma, of each frame.
 */
export async function* smoothed(frames: AsyncIterable<Enlarged>, factor: number): AsyncGenerator<Uint8Array> {
  const window: Weighed[] = [];
  let next = 0;
  for await (const frame of frames) {
    const before = window.slice(-SMOOTHED_FRAMES).toReversed();
    const still = before.map(({ scene, given }) =>
      scene === frame.scene && scene.weight > 0 ? stillness(frame.given, given) : null,
    );
    window.push({ ...frame, still });
    if (next + SMOOTHED_FRAMES >= window.length) continue;
    yield smooth(window, next, factor);
    if (next < SMOOTHED_FRAMES) next += 1;
    else window.shift();
  }
  for (; next < window.length; next += 1) yield smooth(window, next, factor);
}

/** A frame of a window, with those around it. */
function smooth(window: readonly Weighed[], at: number, factor: number): Uint8Array {
  const { given, luma, chroma } = window[at]!;
  const frame = new Uint8Array(luma.length + chroma.length);
  frame.set(chroma, luma.length);
  const around = [-1, -2, 1, 2].map((away) => {
    const weights = window[Math.max(at, at + away)]?.still[Math.abs(away) - 1];
    return weights ? { weights, luma: window[at + away]!.luma } : null;
  });
  writeMeans(frame, { width: given.width, factor, luma, around });
  return frame;
}

interface Around {
  /** Before enlargement. */
  readonly width: number;
  readonly factor: number;
  readonly luma: Uint16Array;
  /** The frame before, the one before that, the next, and the one after that. */
  readonly around: readonly ({ readonly weights: Weights; readonly luma: Uint16Array } | null)[];
}

/** Means of luma, rounded to levels. A frame counts no more than the one between: what came back was not still. */
function writeMeans(levels: Uint8Array, { width, factor, luma, around }: Around): void {
  if (around.every((other) => other === null)) {
    for (let at = 0; at < luma.length; at += 1) levels[at] = luma[at]! / WEIGHTS + 0.5;
    return;
  }
  const none = { weights: new Uint8Array(luma.length / factor ** 2), luma };
  const [first, second, third, fourth] = around.map((other) => other ?? none);
  // Looked up once: these loops take most of the time.
  const [firstWeights, secondWeights] = [first!.weights, second!.weights];
  const [thirdWeights, fourthWeights] = [third!.weights, fourth!.weights];
  const [firstLuma, secondLuma, thirdLuma, fourthLuma] = [first!.luma, second!.luma, third!.luma, fourth!.luma];
  const row = width * factor;
  for (let from = 0, y = 0; from < luma.length; from += row, y += 1)
    for (let column = 0; column < factor; column += 1) {
      let given = Math.floor(y / factor) * width;
      for (let at = from + column; at < from + row; at += factor, given += 1) {
        const one = firstWeights[given]!;
        const two = Math.min(one, secondWeights[given]!);
        const three = thirdWeights[given]!;
        const four = Math.min(three, fourthWeights[given]!);
        const sum =
          OWN * luma[at]! +
          one * firstLuma[at]! +
          two * secondLuma[at]! +
          three * thirdLuma[at]! +
          four * fourthLuma[at]!;
        levels[at] = sum / (WEIGHTS * (OWN + one + two + three + four)) + 0.5;
      }
    }
}

/**
 * How much of a frame may be used for another one of the same size, for each pixel: from 0 where it changed to 100.
 * Pure.
 */
export function stillness(one: Luma, other: Luma): Weights {
  const { width, height } = one;
  const weights = new Uint8Array(width * height);
  const rows = { mixed: new Int16Array(width * height), alike: new Int16Array(width * height) };
  for (let y = 0; y < height; y += 1) sumRow(one, other, y, rows);
  const { mixed, alike } = rows;
  const [mixedSums, alikeSums] = [new Int32Array(width), new Int32Array(width)];
  // The first and the last row are repeated, like the first and the last column.
  const rowAt = (y: number) => Math.min(height - 1, Math.max(0, y)) * width;
  for (let y = -REACH; y < REACH; y += 1)
    for (let x = 0, from = rowAt(y); x < width; x += 1) {
      mixedSums[x] = mixedSums[x]! + mixed[from + x]!;
      alikeSums[x] = alikeSums[x]! + alike[from + x]!;
    }
  for (let y = 0; y < height; y += 1) {
    const first = rowAt(y - REACH);
    const last = rowAt(y + REACH);
    for (let x = 0; x < width; x += 1) {
      const mixedSum = mixedSums[x]! + mixed[last + x]!;
      const alikeSum = alikeSums[x]! + alike[last + x]!;
      const weight = OWN - MIXED * mixedSum - ALIKE * Math.abs(alikeSum);
      weights[y * width + x] = weight > 0 ? weight : 0;
      mixedSums[x] = mixedSum - mixed[first + x]!;
      alikeSums[x] = alikeSum - alike[first + x]!;
    }
  }
  return weights;
}

/** Sums of changes (`alike`), and of their amounts (`mixed`), over the pixels of a row that are near enough to each. */
function sumRow(one: Luma, other: Luma, y: number, { mixed, alike }: { mixed: Int16Array; alike: Int16Array }): void {
  const { width, pixels } = one;
  const from = y * width;
  const changes = new Int16Array(width + 2 * REACH);
  for (let x = 0; x < width; x += 1) changes[x + REACH] = pixels[from + x]! - other.pixels[from + x]!;
  changes.fill(changes[REACH]!, 0, REACH);
  changes.fill(changes[width + REACH - 1]!, width + REACH);
  let sum = 0;
  let amounts = 0;
  for (let x = 0; x < 2 * REACH; x += 1) {
    sum += changes[x]!;
    amounts += Math.abs(changes[x]!);
  }
  for (let x = 0; x < width; x += 1) {
    const last = changes[x + 2 * REACH]!;
    sum += last;
    amounts += Math.abs(last);
    alike[from + x] = sum;
    mixed[from + x] = amounts;
    const first = changes[x]!;
    sum -= first;
    amounts -= Math.abs(first);
  }
}
