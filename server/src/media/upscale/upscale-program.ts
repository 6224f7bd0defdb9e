/**
 * The program of the stage that upscales: reads raw frames in 4:2:0 with 8 bits from standard input. `enlarge SETTINGS`
 * writes the enlarged frames to standard output; `measure SETTINGS` writes what the gate decided, as one line of JSON.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { enlargeFrame, frameBytes, lumaOf } from './enlarge-frame.ts';
import { Gate, readScenes, sceneAt } from './gate.ts';
import { enlarge, type Model, openModel } from './model-session.mjs';
import type { Luma } from './resample.ts';

/** The second argument, in JSON. */
export interface UpscaleSettings {
  readonly width: number;
  readonly height: number;
  /** Files of models, applied one after the other. */
  readonly models: readonly string[];
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
// The platform writes both.
const settings = JSON.parse(text) as UpscaleSettings;
const models: Model[] = [];
for (const path of settings.models) models.push(await openModel(readFileSync(path), 1));

async function byModels(luma: Luma): Promise<Luma> {
  let picture = luma;
  for (const model of models) picture = await byModel(model, picture);
  return picture;
}

/** A model for RGB gets grey, and its green is taken. */
async function byModel(model: Model, { width, height, pixels }: Luma): Promise<Luma> {
  const { channels, factor, overlap } = model.facts;
  const given = channels === 1 ? pixels : Buffer.concat([pixels, pixels, pixels]);
  const tiles = overlap === null ? null : { side: TILE_SIDE, overlap };
  const made = await enlarge(model, { width, height, channels, pixels: given }, tiles);
  const size = { width: width * factor, height: height * factor };
  const plane = size.width * size.height;
  return { ...size, pixels: channels === 1 ? made : made.subarray(plane, 2 * plane) };
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

if (command === 'measure') {
  const gate = new Gate({ ...settings, enlarge: byModels });
  for await (const frame of frames()) await gate.push(lumaOf(frame, settings));
  process.stdout.write(`${JSON.stringify(gate.finish())}\n`);
} else {
  const scenes = readScenes(settings.scenes);
  let number = settings.firstFrame;
  for await (const frame of frames()) {
    const made = await enlargeFrame(frame, settings, settings.factor, sceneAt(scenes, number), byModels);
    number += 1;
    if (!process.stdout.write(made)) await once(process.stdout, 'drain');
  }
}
