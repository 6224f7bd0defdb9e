import { join } from 'node:path';
import { inputArg } from '@reelgraph/sandbox';
import { AppError } from '../../kernel/errors.ts';
import { t } from '../../kernel/languages/message.ts';
import { isFileError } from '../inspect/inspect-file.ts';
import { sniffFile } from '../inspect/sniff/sniff-file.ts';
import type { Runner } from '../runner.ts';
import { ANIMATION_PROGRAM, decoderFiles } from './decoder-files.ts';
import { NODE_FLAGS } from './open-image-decoder.ts';

const CONVERTED = 'animation.png';
const LIMITS = { cpuSeconds: 900, memoryBytes: 2 * 1024 ** 3, outputBytes: 2 * 1024 ** 3, wallMs: 1_800_000 };

/**
 * The file that ffmpeg decodes in place of `path`, which `inspectFile` has accepted: the file itself, or the lossless
 * conversion of an animated WebP, in `workDir`, a folder of its own.
 * @throws AppError TRANSCODE_FAILED when it cannot be converted; RunError for failures that are not the file's.
 */
export async function decodableFile(
  runner: Pick<Runner, 'runProgram' | 'prepareWorkDir'>,
  path: string,
  { workDir, signal }: { readonly workDir: string; readonly signal?: AbortSignal },
): Promise<string> {
  const sniffed = await sniffFile(path);
  if (!sniffed.ok || sniffed.container !== 'webp') return path;
  await runner.prepareWorkDir(workDir);
  try {
    await runner.runProgram(process.execPath, [...NODE_FLAGS, ANIMATION_PROGRAM, inputArg(0), CONVERTED], {
      cwd: workDir,
      inputs: [path],
      limits: LIMITS,
      readOnly: decoderFiles(),
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    if (!isFileError(error)) throw error;
    throw new AppError('TRANSCODE_FAILED', t`The animation is damaged or too large to decode.`, {
      suggestedFix: t`Export it as MP4 with H.264 and upload that file.`,
      cause: error,
    });
  }
  return join(workDir, CONVERTED);
}
