import type { ResizedImage } from '../assets/index.ts';
import type { ImageFeatures } from './ctr-model/features.ts';

/** Images are measured at this many pixels on the longer side, about the size of a card. */
export const MEASURED_SIDE = 320;

/** Rec. 709. */
const LUMA = [0.2126, 0.7152, 0.0722] as const;
/** Keeps the logarithm finite for an image without detail: about one step of one pixel in ten. */
const LEAST_DETAIL = 1e-6;

/** Image features of a scaled-down image: light, colour and detail only, not its subject. */
export function measureImage({ rgb, columns, rows, width, height }: ResizedImage): ImageFeatures {
  const luma = new Float64Array(columns * rows);
  const [redGreen, yellowBlue, light] = [new Moments(), new Moments(), new Moments()];
  for (let pixel = 0; pixel < luma.length; pixel += 1) {
    const [red, green, blue] = [rgb[pixel * 3] ?? 0, rgb[pixel * 3 + 1] ?? 0, rgb[pixel * 3 + 2] ?? 0];
    const value = (LUMA[0] * red + LUMA[1] * green + LUMA[2] * blue) / 255;
    luma[pixel] = value;
    light.add(value);
    redGreen.add(red - green);
    yellowBlue.add((red + green) / 2 - blue);
  }
  const spread = Math.hypot(redGreen.deviation, yellowBlue.deviation);
  return {
    brightness: light.mean,
    contrast: light.deviation,
    colourfulness: (spread + 0.3 * Math.hypot(redGreen.mean, yellowBlue.mean)) / 100,
    sharpness: Math.log(laplacianVariance(luma, columns, rows) + LEAST_DETAIL),
    width,
    height,
  };
}

/** Difference of neighbouring pixels: large at edges, small in blurred areas. */
function laplacianVariance(luma: Float64Array, columns: number, rows: number): number {
  const moments = new Moments();
  const at = (row: number, column: number): number => luma[row * columns + column] ?? 0;
  for (let row = 1; row < rows - 1; row += 1) {
    for (let column = 1; column < columns - 1; column += 1) {
      moments.add(
        at(row - 1, column) + at(row + 1, column) + at(row, column - 1) + at(row, column + 1) - 4 * at(row, column),
      );
    }
  }
  return moments.deviation ** 2;
}

class Moments {
  #count = 0;
  #sum = 0;
  #squares = 0;

  add(value: number): void {
    this.#count += 1;
    this.#sum += value;
    this.#squares += value * value;
  }

  get mean(): number {
    return this.#count === 0 ? 0 : this.#sum / this.#count;
  }

  get deviation(): number {
    return this.#count === 0 ? 0 : Math.sqrt(Math.max(0, this.#squares / this.#count - this.mean ** 2));
  }
}
