/**
 * Enlarges pictures and videos by networks in ONNX, in a sandbox, as far as a gate finds that they restore what was
 * there. README.md has an example.
 */
export { type Gated, type GateFigures, type Scene, sceneAt, spellScenes } from './gate.ts';
export { isOwnModel, MODEL_VERSION, type ModelName, type OperatorModel, OWN_FACTS, UPSCALE_MODELS } from './models.ts';
export { type GpuFiles, gpuFiles, NO_GPU, PROVIDERS, type Provider } from './providers.ts';
export { SMOOTHED_FRAMES } from './smoothing.ts';
export { type UpscaleCommand, upscaleCommand } from './upscale-command.ts';
export { UpscaleError, type UpscaleErrorReason } from './upscale-error.ts';
export type { ModelFile, UpscaleSettings } from './upscale-program.ts';
export {
  MOST_MODEL_BYTES,
  type ModelFacts,
  openUpscaler,
  type Planes,
  type Upscaler,
  type UpscalerOptions,
} from './upscaler.ts';
export { isUpscalerInstalled } from './upscaler-files.ts';
