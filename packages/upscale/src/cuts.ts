import type { Luma } from './resample.ts';

/** The picture is compared in so many parts. */
const COLUMNS = 32;
const ROWS = 18;
/** Of each part, so many pixels in each direction. */
const PIXELS = 4;
/** A cut changes the picture by so many levels in the mean, and so many times as much as motion around it. */
const LEAST_LEVELS = 8;
const LEAST_RATIO = 3;
/** The frames whose motion counts. */
const RECENT = 8;

/** Finds the frames with which scenes begin, by the brightness of parts of the picture. */
export class CutFinder {
  #before: Float32Array | null = null;
  #changes: number[] = [];

  /** Whether a frame, the next one of the video, is of another scene than that before it. */
  isCut(frame: Luma): boolean {
    const parts = partsOf(frame);
    const before = this.#before;
    this.#before = parts;
    if (before === null) return false;
    const change = parts.reduce((sum, part, at) => sum + Math.abs(part - before[at]!), 0) / parts.length;
    const usual = this.#changes.reduce((sum, each) => sum + each, 0) / Math.max(1, this.#changes.length);
    const found = change >= LEAST_LEVELS && change >= LEAST_RATIO * usual;
    this.#changes = found ? [] : [...this.#changes, change].slice(-RECENT);
    return found;
  }
}

function partsOf({ width, height, pixels }: Luma): Float32Array {
  const parts = new Float32Array(COLUMNS * ROWS);
  const [columns, rows] = [COLUMNS * PIXELS, ROWS * PIXELS];
  for (let y = 0; y < rows; y += 1) {
    const from = Math.floor(((y + 0.5) * height) / rows) * width;
    const part = Math.floor(y / PIXELS) * COLUMNS;
    for (let x = 0; x < columns; x += 1)
      parts[part + Math.floor(x / PIXELS)]! += pixels[from + Math.floor(((x + 0.5) * width) / columns)]! / PIXELS ** 2;
  }
  return parts;
}
