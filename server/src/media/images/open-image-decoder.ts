import type { RunLimits } from '@reelgraph/sandbox';
import type { Runner } from '../runner.ts';
import { DECODER_PROGRAM, decoderFiles } from './decoder-files.ts';
import { withHeicAsJpeg } from './heic.ts';
import { ImageDecoder, type ImageDecoderOptions } from './image-decoder.ts';
import type { ImageLimits } from './image-process.ts';

/** Above this an image takes more memory than an upload may. */
export const MAX_IMAGE_PIXELS = 50_000_000;

const IMAGE_LIMITS: ImageLimits = {
  maxBytes: 64 * 1024 ** 2,
  maxPixels: MAX_IMAGE_PIXELS,
  operationMs: 60_000,
  wallMs: 120_000,
  startMs: 20_000,
};
/** Limits of the process from its start; it may wait for its image indefinitely. */
const PROCESS_LIMITS: RunLimits = {
  cpuSeconds: 120,
  memoryBytes: 2 * 1024 ** 3,
  outputBytes: 0,
  wallMs: Number.POSITIVE_INFINITY,
};
/** V8 only interprets, without executable memory: decoding is native anyway. */
export const NODE_FLAGS = [
  '--jitless',
  '--single-threaded',
  '--max-semi-space-size=1',
  '--max-old-space-size=64',
  '--disallow-code-generation-from-strings',
];

/** The parts of the runner that decode images. */
export type DecoderRunner = Pick<Runner, 'startProgram' | 'runProgram' | 'prepareWorkDir'>;

/** Decodes images in the sandbox of `runner`. */
export function openImageDecoder(
  runner: DecoderRunner,
  { onError }: Pick<ImageDecoderOptions, 'onError'>,
): ImageDecoder {
  let readOnly: readonly string[] | null = null;
  return new ImageDecoder({
    limits: IMAGE_LIMITS,
    onError,
    withHeicAsJpeg: (path, use) => withHeicAsJpeg(runner, path, use),
    async start() {
      readOnly ??= decoderFiles();
      return runner.startProgram(process.execPath, [...NODE_FLAGS, DECODER_PROGRAM], {
        limits: PROCESS_LIMITS,
        readOnly,
        interactive: true,
      });
    },
  });
}
