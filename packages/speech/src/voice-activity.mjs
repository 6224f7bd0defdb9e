// @ts-check
/**
 * Voice activity by Silero VAD, a network of 1.3 MB. Only the program in the sandbox loads it. Plain JavaScript, so
 * that V8 can run without its compilers.
 */
import ort from 'onnxruntime-node';

/** Samples at 16 kHz: of a frame, and those before it that the network also gets. */
const FRAME = 512;
const CONTEXT = 64;
const STATE = [2, 1, 128];

/**
 * How probable speech is, in each frame of 32 ms.
 * @param {string} weights Path of the network.
 * @param {Int16Array} samples
 * @returns {Promise<Float32Array>}
 */
export async function speechProbabilities(weights, samples) {
  const session = await ort.InferenceSession.create(weights, {
    executionMode: 'sequential',
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    logSeverityLevel: 4,
  });
  const probabilities = new Float32Array(Math.ceil(samples.length / FRAME));
  const input = new Float32Array(CONTEXT + FRAME);
  const sr = new ort.Tensor('int64', BigInt64Array.of(16_000n), []);
  let state = new Float32Array(256);
  for (let frame = 0; frame < probabilities.length; frame += 1) {
    input.copyWithin(0, FRAME);
    for (let at = 0; at < FRAME; at += 1) input[CONTEXT + at] = (samples[frame * FRAME + at] ?? 0) / 32_768;
    const made = await session.run({
      input: new ort.Tensor('float32', input, [1, input.length]),
      state: new ort.Tensor('float32', state, STATE),
      sr,
    });
    probabilities[frame] = Number(made.output?.data[0]);
    state = Float32Array.from(/** @type {Float32Array} */ (made.stateN?.data));
  }
  return probabilities;
}
