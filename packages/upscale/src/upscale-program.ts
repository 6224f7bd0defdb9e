/**
 * The program of the stage that upscales: reads raw frames in 4:2:0 with 8 bits from standard input. `enlarge SETTINGS`
 * writes the enlarged frames to standard output; `measure SETTINGS` writes what the gate decided, as one line of JSON.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { enlargeFrame, frameBytes, lumaOf, lumaOfRgb } from './enlarge-frame.ts';
import { Gate, readScenes, sceneAt } from './gate.ts';
import { enlarge, type Model, openModel, tilingOf } from './model-session.mjs';
import type { Provider } from './providers.ts';
import type { Luma } from './resample.ts';
import { type Enlarged, smoothed } from './smoothing.ts';
import type { ModelFacts } from './upscaler.ts';

/** A model that is known. */
export interface ModelFile {
  readonly path: string;
  readonly facts: ModelFacts;
  /** SHA-256 of the file in hexadecimal; null where it is one of ours. */
  readonly digest: string | null;
}

/** The second argument, in JSON. */
export interface UpscaleSettings {
  readonly width: number;
  readonly height: number;
  /** Applied one after the other. */
  readonly models: readonly ModelFile[];
  /** Of ONNX Runtime. */
  readonly provider: Provider;
  /** Of all models together. */
  readonly factor: number;
  readonly framesPerSecond: number;
  /** Number of the first frame that is read, in the whole video. */
  readonly firstFrame: number;
  /** For `enlarge`: those of the whole video, as `spellScenes` writes them. */
  readonly scenes: string;
}

/** Pictures of other sizes are enlarged in tiles, so that memory does not grow with them. */
const TILE_SIDE = 512;

const [command, text = ''] = process.argv.slice(2);
// `upscaleCommand` writes both.
const settings = JSON.parse(text) as UpscaleSettings;
const models: Model[] = [];
for (const { path, facts, digest } of settings.models) {
  const bytes = readFileSync(path);
  if (digest !== null && createHash('sha256').update(bytes).digest('hex') !== digest)
    throw new Error('The file of the model was changed.');
  models.push(await openModel(bytes, { threads: 1, provider: settings.provider, facts }));
}

async function byModels(luma: Luma): Promise<Luma> {
  let picture = luma;
  for (const model of models) picture = await byModel(model, picture);
  return picture;
}

/** A model for RGB gets luma as grey, and luma is taken of what it makes. */
async function byModel(model: Model, { width, height, pixels }: Luma): Promise<Luma> {
  const { channels, factor } = model.facts;
  const given = channels === 1 ? pixels : Buffer.concat([pixels, pixels, pixels]);
  const made = await enlarge(model, { width, height, channels, pixels: given }, tilingOf(model.facts, TILE_SIDE));
  const size = { width: width * factor, height: height * factor };
  return { ...size, pixels: channels === 1 ? made : lumaOfRgb(made) };
}

/** Standard input in frames; a part of one at the end is left out. */
async function* frames(): AsyncGenerator<Uint8Array> {
  const bytes = frameBytes(settings);
  let frame = new Uint8Array(bytes);
  let filled = 0;
  for await (const part of process.stdin as AsyncIterable<Buffer>) {
    for (let at = 0; at < part.length; ) {
      const count = Math.min(bytes - filled, part.length - at);
      frame.set(part.subarray(at, at + count), filled);
      [filled, at] = [filled + count, at + count];
      if (filled < bytes) continue;
      yield frame;
      [frame, filled] = [new Uint8Array(bytes), 0];
    }
  }
}

/** Each frame as its scene asks for. */
async function* enlarged(): AsyncGenerator<Enlarged> {
  const scenes = readScenes(settings.scenes);
  let number = settings.firstFrame;
  for await (const frame of frames()) {
    yield await enlargeFrame(frame, settings, settings.factor, sceneAt(scenes, number), byModels);
    number += 1;
  }
}

if (command === 'measure') {
  const gate = new Gate({ ...settings, enlarge: byModels });
  for await (const frame of frames()) await gate.push(lumaOf(frame, settings));
  process.stdout.write(`${JSON.stringify(gate.finish())}\n`);
} else {
  for await (const frame of smoothed(enlarged(), settings.factor))
    if (!process.stdout.write(frame)) await once(process.stdout, 'drain');
}
