// @ts-check
/**
 * An ONNX model in this process, probed. Only programs in the sandbox load it: what other people have trained may crash
 * the runtime or never end. Plain JavaScript, so that V8 can run without its compilers.
 */
import ort from 'onnxruntime-node';
import { cropPlanes, padPlanes, pasteTile, planTiles } from './tiles.mjs';

const FACTORS = [2, 3, 4];
/** Sides of the pictures of the probe. */
const TRIAL_SIDE = 32;
const SEAM_SIDE = 160;
/** Of models that take one size only. */
const LEAST_FIXED_SIDE = 48;
const MOST_FIXED_SIDE = 1024;
/** Pixels around a tile that are tried, until its seams do not show. */
const OVERLAPS = [8, 16, 32];
/** Of a model that looks further than the greatest overlap: how many pixels may differ by how many levels at seams. */
const MOST_DIFFERENT = 0.02;
const MOST_LEVELS = 4;
/** Of 255: how much a flat grey picture may change. */
const MOST_CHANGE = 16;

/**
 * What the probe finds out about a model. `fixed`: the only size that it takes.
 * @typedef {{ width: number, height: number }} Size
 * @typedef {'uint8' | 'float32'} Values
 * @typedef {{
 *   channels: 1 | 3, values: Values, factor: number, overlap: number | null, fixed: Size | null,
 * }} ModelFacts
 * @typedef {{ width: number, height: number, channels: number, pixels: Uint8Array }} Picture
 * @typedef {{ side: number, overlap: number }} Tiling
 */

/** @typedef {{ session: import('onnxruntime-node').InferenceSession, facts: ModelFacts }} Model */

/** A model that cannot be used, with the reason. */
export class Refusal extends Error {}

/**
 * Opens a model, and finds out what it takes unless that is known.
 * @param {Uint8Array} bytes
 * @param {{ threads: number, provider: string, facts?: ModelFacts | null }} options `provider`: of ONNX Runtime.
 * @returns {Promise<Model>}
 */
export async function openModel(bytes, { threads, provider, facts = null }) {
  const session = await ort.InferenceSession.create(bytes, {
    executionProviders: [provider],
    executionMode: 'sequential',
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    logSeverityLevel: 4,
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  });
  if (facts) return { session, facts };
  const { channels, values, fixed } = readSignature(session);
  const model = { session, facts: /** @type {ModelFacts} */ ({ channels, values, factor: 1, overlap: null, fixed }) };
  model.facts.factor = await findFactor(model);
  await requireSameBrightness(model);
  model.facts.overlap = await findOverlap(model);
  return model;
}

/**
 * @param {import('onnxruntime-node').InferenceSession} session
 * @returns {Pick<ModelFacts, 'channels' | 'values' | 'fixed'>}
 */
function readSignature({ inputMetadata, outputMetadata }) {
  const [input, output] = [inputMetadata[0], outputMetadata[0]];
  if (inputMetadata.length !== 1 || outputMetadata.length !== 1 || !input?.isTensor || !output?.isTensor)
    throw new Refusal(`It has ${inputMetadata.length} inputs and ${outputMetadata.length} outputs, not one of each.`);
  const { type, shape } = input;
  if ((type !== 'uint8' && type !== 'float32') || output.type !== type)
    throw new Refusal(`It takes ${type} and gives ${output.type}; both must be uint8 or float32.`);
  const [count, channels, height, width] = shape;
  if (shape.length !== 4 || (channels !== 1 && channels !== 3) || (typeof count === 'number' && count !== 1))
    throw new Refusal(`Its input is [${shape.join(', ')}], not [1 or n, 1 or 3, height, width].`);
  if (typeof height !== 'number' && typeof width !== 'number') return { channels, values: type, fixed: null };
  if (typeof height !== 'number' || typeof width !== 'number')
    throw new Refusal(`Its input is [${shape.join(', ')}]: height and width must both be fixed, or neither.`);
  if (Math.min(width, height) < LEAST_FIXED_SIDE || Math.max(width, height) > MOST_FIXED_SIDE)
    throw new Refusal(
      `Its input has a fixed size of ${width} x ${height} pixels; each side must be ${LEAST_FIXED_SIDE} to ` +
        `${MOST_FIXED_SIDE}.`,
    );
  return { channels, values: type, fixed: { width, height } };
}

/** @param {Model} model */
async function findFactor({ session, facts }) {
  const { width, height } = facts.fixed ?? { width: TRIAL_SIDE, height: TRIAL_SIDE };
  const picture = testPicture({ width, height }, facts.channels);
  const { dims, levels } = await runGraph(session, facts.values, picture);
  const factor = Number(dims[3]) / width;
  const isRight =
    dims.length === 4 && dims[0] === 1 && dims[1] === facts.channels && Number(dims[2]) === factor * height;
  if (!isRight || !FACTORS.includes(factor))
    throw new Refusal(
      `It makes [${dims.join(', ')}] of [1, ${facts.channels}, ${height}, ${width}]; ` +
        `the factor must be ${FACTORS.join(', ')}.`,
    );
  const again = (await runGraph(session, facts.values, picture)).levels;
  if (levels.some((level, at) => level !== again[at])) throw new Refusal('It makes another picture each time.');
  return factor;
}

/**
 * A model for values of 0 to 255, or from -1 to 1, would change a flat grey picture.
 * @param {Model} model
 */
async function requireSameBrightness(model) {
  const flat = testPicture({ width: TRIAL_SIDE, height: TRIAL_SIDE }, model.facts.channels);
  flat.pixels.fill(128);
  const enlarged = await enlarge(model, flat, null);
  const mean = enlarged.reduce((sum, level) => sum + level, 0) / enlarged.length;
  if (Math.abs(mean - 128) > MOST_CHANGE)
    throw new Refusal(`It makes grey of ${Math.round(mean)} of grey of 128: its values are not from 0 to 1.`);
}

/**
 * The smallest overlap with which tiles look as without tiles; null if there is none, so that pictures are enlarged as
 * a whole.
 * @param {Model} model
 */
async function findOverlap(model) {
  const { channels, fixed } = model.facts;
  const size = fixed ?? { width: SEAM_SIDE, height: SEAM_SIDE };
  const picture = testPicture(size, channels);
  const whole = await enlarge(model, picture, null);
  const side = Math.ceil(Math.max(size.width, size.height) / 2);
  const possible = OVERLAPS.filter((overlap) => fixed === null || 3 * overlap <= Math.min(fixed.width, fixed.height));
  for (const overlap of possible) {
    const tiled = await enlargeTiles(model, picture, { side, overlap });
    const differences = tiled.map((level, at) => Math.abs(level - (whole[at] ?? level)));
    const most = differences.reduce((one, other) => Math.max(one, other), 0);
    if (most <= 1) return overlap;
    const different = differences.filter((levels) => levels > 1).length;
    const isLast = overlap === possible.at(-1);
    if (isLast && most <= MOST_LEVELS && different <= MOST_DIFFERENT * tiled.length) return overlap;
  }
  if (fixed)
    throw new Refusal(`It takes ${fixed.width} x ${fixed.height} pixels only, and looks further than tiles overlap.`);
  return null;
}

/**
 * Stripes with noise that become brighter from top to bottom, always the same.
 * @param {Size} size
 * @param {number} channels
 * @returns {Picture}
 */
function testPicture({ width, height }, channels) {
  const pixels = new Uint8Array(channels * width * height);
  let state = 1;
  for (let at = 0; at < pixels.length; at += 1) {
    state = (state * 48_271) % 2_147_483_647;
    const brightness = Math.floor((100 * (Math.floor(at / width) % height)) / height);
    pixels[at] = brightness + ((at >> 3) & 1 ? 60 : 0) + (state % 80);
  }
  return { width, height, channels, pixels };
}

/**
 * The tiles in which a model enlarges pictures; null: as a whole.
 * @param {ModelFacts} facts
 * @param {number} side Of models that take all sizes.
 * @returns {Tiling | null}
 */
export function tilingOf({ overlap, fixed }, side) {
  if (overlap === null) return null;
  return { side: fixed ? Math.min(fixed.width, fixed.height) - 2 * overlap : side, overlap };
}

/**
 * Enlarges a picture in tiles, or as a whole.
 * @param {Model} model
 * @param {Picture} picture
 * @param {Tiling | null} tiling
 * @returns {Promise<Uint8Array>}
 */
export async function enlarge(model, picture, tiling) {
  const { width, height } = model.facts.fixed ?? { width: tiling?.side ?? 0, height: tiling?.side ?? 0 };
  if (tiling === null || (picture.width <= width && picture.height <= height)) return runModel(model, picture);
  return enlargeTiles(model, picture, tiling);
}

/**
 * @param {Model} model
 * @param {Picture} picture
 * @param {Tiling} tiling
 */
async function enlargeTiles(model, picture, tiling) {
  const { factor } = model.facts;
  const [width, height] = [picture.width * factor, picture.height * factor];
  const target = { ...picture, width, height, pixels: new Uint8Array(picture.channels * width * height) };
  for (const tile of planTiles(picture, tiling)) {
    const part = { ...picture, ...tile.read, pixels: cropPlanes(picture, tile.read) };
    pasteTile(target, await runModel(model, part), tile, factor);
  }
  return target.pixels;
}

/**
 * Enlarges a picture that the model takes, or one that is smaller than the only size that it takes.
 * @param {Model} model
 * @param {Picture} picture
 */
async function runModel({ session, facts: { values, factor, fixed } }, picture) {
  const given = fixed ? { ...picture, ...fixed, pixels: padPlanes(picture, fixed) } : picture;
  const { dims, levels } = await runGraph(session, values, given);
  if (levels.length !== given.pixels.length * factor ** 2)
    throw new Refusal(`It makes [${dims.join(', ')}] of ${given.width} x ${given.height} pixels: its factor changes.`);
  if (fixed === null) return levels;
  const large = { ...picture, width: factor * fixed.width, height: factor * fixed.height, pixels: levels };
  return cropPlanes(large, { x: 0, y: 0, width: factor * picture.width, height: factor * picture.height });
}

/**
 * @param {import('onnxruntime-node').InferenceSession} session
 * @param {Values} values
 * @param {Picture} picture
 * @returns {Promise<{ dims: readonly number[], levels: Uint8Array }>}
 */
async function runGraph(session, values, { width, height, channels, pixels }) {
  const [input, output] = [session.inputNames[0] ?? '', session.outputNames[0] ?? ''];
  const given = values === 'uint8' ? pixels : Float32Array.from(pixels, (level) => level / 255);
  const made = (await session.run({ [input]: new ort.Tensor(values, given, [1, channels, height, width]) }))[output];
  if (!made) throw new Refusal('It gives no output.');
  const { data } = made;
  if (data instanceof Uint8Array) return { dims: made.dims, levels: data };
  if (!(data instanceof Float32Array)) throw new Refusal(`It gives ${made.type}.`);
  return { dims: made.dims, levels: Uint8Array.from(Uint8ClampedArray.from(data, (value) => value * 255)) };
}
