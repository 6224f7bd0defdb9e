import { fileURLToPath } from 'node:url';

/**
 * Our own models (ml/upscaler), for luma and a factor of 2. `compressed` is for pictures that a codec has changed, as
 * nearly every upload, `clean` for all others, and for the second pass of a factor of 4.
 */
export const UPSCALE_MODELS = {
  clean: modelPath('clean-x2'),
  compressed: modelPath('compressed-x2'),
} as const;

function modelPath(name: string): string {
  return fileURLToPath(new URL(`../../../../ml/upscaler/weights/${name}.onnx`, import.meta.url));
}
