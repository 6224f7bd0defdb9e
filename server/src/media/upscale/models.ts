import { fileURLToPath } from 'node:url';

/**
 * Our own models (ml/upscaler), for luma and a factor of 2. `compressed` is for pictures that a codec has changed, as
 * nearly every upload, `clean` for all others, and for the second pass of a factor of 4.
 */
export const UPSCALE_MODELS = {
  clean: modelPath('clean-x2'),
  compressed: modelPath('compressed-x2'),
} as const;

export type ModelName = keyof typeof UPSCALE_MODELS;

/** Of our own models: see ml/upscaler/MODEL-CARD.md. */
export const MODEL_VERSION = 1;

/** The file of a model. */
export function modelFile(name: ModelName): string {
  return UPSCALE_MODELS[name];
}

function modelPath(name: string): string {
  return fileURLToPath(new URL(`../../../../ml/upscaler/weights/${name}.onnx`, import.meta.url));
}
