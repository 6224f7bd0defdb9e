// @ts-check
/**
 * Parts of a picture that are enlarged one at a time, so that memory does not grow with the picture. Plain JavaScript,
 * because the sandboxed program uses it.
 */

/**
 * A part: what the model gets, and what is kept of it. In pixels of the picture; `keep` is inside of `read`.
 * @typedef {{ x: number, y: number, width: number, height: number }} Rectangle
 * @typedef {{ read: Rectangle, keep: Rectangle }} Tile
 */

/**
 * Tiles whose kept parts cover the picture exactly once. Each is read with `overlap` more pixels on every side where
 * the picture has them.
 * @param {{ width: number, height: number }} picture
 * @param {{ side: number, overlap: number }} options `side`: the greatest width and height that is kept.
 * @returns {Tile[]}
 */
export function planTiles(picture, { side, overlap }) {
  return spans(picture.height, side).flatMap(([top, height]) =>
    spans(picture.width, side).map(([left, width]) => {
      const x = Math.max(0, left - overlap);
      const y = Math.max(0, top - overlap);
      const right = Math.min(picture.width, left + width + overlap);
      const bottom = Math.min(picture.height, top + height + overlap);
      return { read: { x, y, width: right - x, height: bottom - y }, keep: { x: left, y: top, width, height } };
    }),
  );
}

/**
 * Equal parts of a length, but for rounding: start and length of each.
 * @param {number} length
 * @param {number} most
 * @returns {[number, number][]}
 */
function spans(length, most) {
  const count = Math.ceil(length / most);
  const starts = Array.from({ length: count + 1 }, (_, part) => Math.round((part * length) / count));
  return starts.slice(0, -1).map((start, part) => [start, (starts[part + 1] ?? length) - start]);
}

/**
 * A rectangle of planes of pixels.
 * @param {{ width: number, height: number, channels: number, pixels: Uint8Array }} picture
 * @param {Rectangle} part
 * @returns {Uint8Array}
 */
export function cropPlanes({ width, height, channels, pixels }, part) {
  const cropped = new Uint8Array(channels * part.width * part.height);
  for (let row = 0; row < channels * part.height; row += 1) {
    const plane = Math.floor(row / part.height);
    const from = (plane * height + part.y + (row % part.height)) * width + part.x;
    cropped.set(pixels.subarray(from, from + part.width), row * part.width);
  }
  return cropped;
}

/**
 * A picture made larger to the right and to the bottom, by repeating its last columns and rows.
 * @param {{ width: number, height: number, channels: number, pixels: Uint8Array }} picture
 * @param {{ width: number, height: number }} size At least that of the picture.
 * @returns {Uint8Array}
 */
export function padPlanes({ width, height, channels, pixels }, size) {
  const padded = new Uint8Array(channels * size.width * size.height);
  for (let row = 0; row < channels * size.height; row += 1) {
    const plane = Math.floor(row / size.height);
    const from = (plane * height + Math.min(row % size.height, height - 1)) * width;
    const to = row * size.width;
    padded.set(pixels.subarray(from, from + width), to);
    padded.fill(pixels[from + width - 1] ?? 0, to + width, to + size.width);
  }
  return padded;
}

/**
 * Copies the kept part of an enlarged tile into the enlarged picture.
 * @param {{ width: number, height: number, channels: number, pixels: Uint8Array }} target Enlarged.
 * @param {Uint8Array} enlarged What the model made of `tile.read`.
 * @param {Tile} tile
 * @param {number} factor
 */
export function pasteTile(target, enlarged, { read, keep }, factor) {
  const [readWidth, readHeight] = [read.width * factor, read.height * factor];
  const [left, top] = [(keep.x - read.x) * factor, (keep.y - read.y) * factor];
  const [width, height] = [keep.width * factor, keep.height * factor];
  for (let plane = 0; plane < target.channels; plane += 1)
    for (let row = 0; row < height; row += 1) {
      const from = (plane * readHeight + top + row) * readWidth + left;
      const to = (plane * target.height + keep.y * factor + row) * target.width + keep.x * factor;
      target.pixels.set(enlarged.subarray(from, from + width), to);
    }
}
