// @ts-check
/**
 * An ONNX model in this process, probed. Only programs in the sandbox load it: what other people have trained may crash
 * the runtime or never end. Plain JavaScript, so that V8 can run without its compilers.
 */
import ort from 'onnxruntime-node';
import { cropPlanes, pasteTile, planTiles } from './tiles.mjs';

const FACTORS = [2, 3, 4];
/** Sides of the pictures of the probe. */
const TRIAL_SIDE = 32;
const SEAM_SIDE = 160;
/** Pixels around a tile that are tried, until its seams do not show. */
const OVERLAPS = [8, 16, 32];
/** Of 255: how much a flat grey picture may change. */
const MOST_CHANGE = 16;

/**
 * What the probe finds out about a model.
 * @typedef {{ channels: 1 | 3, values: 'uint8' | 'float32', factor: number, overlap: number | null }} ModelFacts
 * @typedef {{ width: number, height: number, channels: number, pixels: Uint8Array }} Picture
 */

/** @typedef {{ session: import('onnxruntime-node').InferenceSession, facts: ModelFacts }} Model */

/** A model that cannot be used, with the reason. */
export class Refusal extends Error {}

/**
 * Opens a model and finds out what it takes.
 * @param {Uint8Array} bytes
 * @param {number} threads
 * @returns {Promise<Model>}
 */
export async function openModel(bytes, threads) {
  const session = await ort.InferenceSession.create(bytes, {
    executionProviders: ['cpu'],
    executionMode: 'sequential',
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    logSeverityLevel: 4,
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  });
  const { channels, values } = readSignature(session);
  const model = { session, facts: /** @type {ModelFacts} */ ({ channels, values, factor: 1, overlap: null }) };
  model.facts.factor = await findFactor(model);
  await requireSameBrightness(model);
  model.facts.overlap = await findOverlap(model);
  return model;
}

/**
 * @param {import('onnxruntime-node').InferenceSession} session
 * @returns {Pick<ModelFacts, 'channels' | 'values'>}
 */
function readSignature({ inputMetadata, outputMetadata }) {
  const [input, output] = [inputMetadata[0], outputMetadata[0]];
  if (inputMetadata.length !== 1 || outputMetadata.length !== 1 || !input?.isTensor || !output?.isTensor)
    throw new Refusal(`It has ${inputMetadata.length} inputs and ${outputMetadata.length} outputs, not one of each.`);
  const { type, shape } = input;
  if ((type !== 'uint8' && type !== 'float32') || output.type !== type)
    throw new Refusal(`It takes ${type} and gives ${output.type}; both must be uint8 or float32.`);
  const [, channels, height, width] = shape;
  if (shape.length !== 4 || (channels !== 1 && channels !== 3))
    throw new Refusal(`Its input is [${shape.join(', ')}], not [n, 1 or 3, height, width].`);
  if (typeof height === 'number' || typeof width === 'number')
    throw new Refusal(`Its input has a fixed size of ${width} x ${height} pixels.`);
  return { channels, values: type };
}

/** @param {Model} model */
async function findFactor({ session, facts }) {
  const { dims } = await runModel(session, facts, testPicture(TRIAL_SIDE, facts.channels));
  const factor = Number(dims[3]) / TRIAL_SIDE;
  const isRight = dims.length === 4 && dims[0] === 1 && dims[1] === facts.channels && dims[2] === dims[3];
  if (!isRight || !FACTORS.includes(factor))
    throw new Refusal(
      `It makes [${dims.join(', ')}] of [1, ${facts.channels}, ${TRIAL_SIDE}, ${TRIAL_SIDE}]; ` +
        `the factor must be ${FACTORS.join(', ')}.`,
    );
  return factor;
}

/**
 * A model for values of 0 to 255, or from -1 to 1, would change a flat grey picture.
 * @param {Model} model
 */
async function requireSameBrightness(model) {
  const flat = testPicture(TRIAL_SIDE, model.facts.channels);
  flat.pixels.fill(128);
  const enlarged = await enlarge(model, flat, null);
  const mean = enlarged.reduce((sum, level) => sum + level, 0) / enlarged.length;
  if (Math.abs(mean - 128) > MOST_CHANGE)
    throw new Refusal(`It makes grey of ${Math.round(mean)} of grey of 128: its values are not from 0 to 1.`);
}

/**
 * The smallest overlap with which tiles look as without tiles; null if there is none.
 * @param {Model} model
 */
async function findOverlap(model) {
  const picture = testPicture(SEAM_SIDE, model.facts.channels);
  const whole = await enlarge(model, picture, null);
  for (const overlap of OVERLAPS) {
    const tiled = await enlarge(model, picture, { side: SEAM_SIDE / 2, overlap });
    if (tiled.every((level, at) => Math.abs(level - (whole[at] ?? level)) <= 1)) return overlap;
  }
  return null;
}

/**
 * Stripes with noise that become brighter from top to bottom, always the same.
 * @param {number} side
 * @param {number} channels
 * @returns {Picture}
 */
function testPicture(side, channels) {
  const pixels = new Uint8Array(channels * side * side);
  let state = 1;
  for (let at = 0; at < pixels.length; at += 1) {
    state = (state * 48_271) % 2_147_483_647;
    const brightness = Math.floor((100 * (Math.floor(at / side) % side)) / side);
    pixels[at] = brightness + ((at >> 3) & 1 ? 60 : 0) + (state % 80);
  }
  return { width: side, height: side, channels, pixels };
}

/**
 * Enlarges a picture in tiles, or as a whole.
 * @param {Model} model
 * @param {Picture} picture
 * @param {{ side: number, overlap: number } | null} tiling
 * @returns {Promise<Uint8Array>}
 */
export async function enlarge({ session, facts }, picture, tiling) {
  if (tiling === null || (picture.width <= tiling.side && picture.height <= tiling.side))
    return (await runModel(session, facts, picture)).levels;
  const { factor } = facts;
  const [width, height] = [picture.width * factor, picture.height * factor];
  const target = { ...picture, width, height, pixels: new Uint8Array(picture.channels * width * height) };
  for (const tile of planTiles(picture, tiling)) {
    const part = { ...picture, ...tile.read, pixels: cropPlanes(picture, tile.read) };
    pasteTile(target, (await runModel(session, facts, part)).levels, tile, factor);
  }
  return target.pixels;
}

/**
 * @param {import('onnxruntime-node').InferenceSession} session
 * @param {ModelFacts} facts
 * @param {Picture} picture
 * @returns {Promise<{ dims: readonly number[], levels: Uint8Array }>}
 */
async function runModel(session, { values }, { width, height, channels, pixels }) {
  const [input, output] = [session.inputNames[0] ?? '', session.outputNames[0] ?? ''];
  const given = values === 'uint8' ? pixels : Float32Array.from(pixels, (level) => level / 255);
  const made = (await session.run({ [input]: new ort.Tensor(values, given, [1, channels, height, width]) }))[output];
  if (!made) throw new Refusal('It gives no output.');
  const { data } = made;
  if (data instanceof Uint8Array) return { dims: made.dims, levels: data };
  if (!(data instanceof Float32Array)) throw new Refusal(`It gives ${made.type}.`);
  return { dims: made.dims, levels: Uint8Array.from(Uint8ClampedArray.from(data, (value) => value * 255)) };
}
