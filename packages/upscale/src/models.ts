import { fileURLToPath } from 'node:url';
import type { ModelFacts } from './upscaler.ts';

/**
 * Our own models (ml/README.md), for luma and a factor of 2. `compressed` is for pictures that a codec has changed, as
 * nearly every upload, `clean` for all others, and for the second pass of a factor of 4.
 */
export const UPSCALE_MODELS = {
  clean: modelPath('clean-x2'),
  compressed: modelPath('compressed-x2'),
} as const;

export type ModelName = keyof typeof UPSCALE_MODELS;

/** Of our own models: see ml/MODEL-CARD.md. */
export const MODEL_VERSION = 1;

/** What the probe finds out about each of them. */
export const OWN_FACTS: ModelFacts = { channels: 1, values: 'uint8', factor: 2, overlap: 8, fixed: null };

/** Whether a model is one of ours. */
export function isOwnModel(name: string): name is ModelName {
  return Object.hasOwn(UPSCALE_MODELS, name);
}

/** A model of somebody else. Plain data, to be stored. */
export interface OperatorModel {
  /** SHA-256 of its file, in hexadecimal. */
  readonly digest: string;
  readonly facts: ModelFacts;
  /** CPU seconds for a million pixels that it enlarges, on one core of an ordinary server. */
  readonly cost: number;
}

function modelPath(name: string): string {
  return fileURLToPath(new URL(`./weights/${name}.onnx`, import.meta.url));
}
