// @ts-check
/**
 * Recognizes speech with whisper.cpp. It runs in the sandbox: the model may be anybody's. Plain JavaScript, so that V8
 * can run without its compilers (`--jitless`), which stripping types needs.
 *
 * `recognize-speech.ts` starts it with an order in JSON. Without sound it only loads the model. It writes lines such as
 * `progress = 40%` to standard error and, at the end, what `whisper-cli --output-json-full` writes to standard output.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { speechWindows } from './speech-windows.mjs';
import { joinCharacters, segmentsOf } from './token-texts.mjs';

const SAMPLES_PER_MS = 16;

/** @typedef {import('./token-texts.mjs').Part} Part */
/** @typedef {{ language?: string, result: string, segments: Part[] }} Transcribed */
/**
 * Of `@fugood/node-whisper-*`.
 * @typedef {{ transcribeData(samples: ArrayBuffer, options: object): { promise: Promise<Transcribed> } }} Whisper
 */
/**
 * @typedef {{
 *   engine: string, model: string, threads: number, language: string | null,
 *   sound: string | null, voiceActivity: string | null,
 * }} Order
 */

/** @type {Order} */
const order = JSON.parse(process.argv[2] ?? '');
const { WhisperContext } = createRequire(import.meta.url)(order.engine);
/** @type {Whisper} */
const whisper = new WhisperContext({ filePath: order.model, useGpu: false });
if (order.sound !== null) process.stdout.write(`${JSON.stringify(await recognize(readFileSync(order.sound)))}\n`);

/** @param {Buffer} bytes Samples of 16 bits. */
async function recognize(bytes) {
  const samples = new Int16Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / 2));
  const windows = await windowsOf(samples);
  let { language } = order;
  const transcription = [];
  for (const [number, { startMs, endMs }] of windows.entries()) {
    const part = samples.slice(startMs * SAMPLES_PER_MS, endMs * SAMPLES_PER_MS);
    const found = await transcribe(part, language);
    const { result, segments } = found;
    if (result.trim() !== '') language ??= found.language ?? null;
    const moved = joinCharacters(result, segments).map((each) => movedTo(each, startMs, endMs));
    transcription.push(...segmentsOf(moved).map(asSegment));
    process.stderr.write(`progress = ${Math.round((100 * (number + 1)) / windows.length)}%\n`);
  }
  return { result: { language }, transcription };
}

/**
 * Where speech is; without a network for voice activity, everything.
 * @param {Int16Array} samples
 */
async function windowsOf(samples) {
  if (order.voiceActivity === null) return [{ startMs: 0, endMs: Math.ceil(samples.length / SAMPLES_PER_MS) }];
  const { speechProbabilities } = await import('./voice-activity.mjs');
  return speechWindows(await speechProbabilities(order.voiceActivity, samples));
}

/**
 * With segments of one token, which is how the addon returns the times of tokens.
 * @param {Int16Array} samples
 * @param {string | null} language
 */
function transcribe(samples, language) {
  const options = { language: language ?? 'auto', maxThreads: order.threads, tokenTimestamps: true, maxLen: 1 };
  // `slice` has made a buffer of its own.
  return whisper.transcribeData(/** @type {ArrayBuffer} */ (samples.buffer), options).promise;
}

/**
 * @param {Part} part
 * @param {number} startMs
 * @param {number} endMs
 */
function movedTo({ text, t0, t1 }, startMs, endMs) {
  const at = (/** @type {number} */ ms) => Math.min(endMs, startMs + Math.max(0, ms));
  return { text, t0: at(t0), t1: at(t1) };
}

/** @param {Part[]} parts */
function asSegment(parts) {
  const tokens = parts.map(({ text, t0, t1 }) => ({ text, offsets: { from: t0, to: t1 } }));
  const text = parts.map((part) => part.text).join('');
  return { text, offsets: { from: parts[0]?.t0 ?? 0, to: parts.at(-1)?.t1 ?? 0 }, tokens };
}
