import { readFile } from 'node:fs/promises';
import { openClips } from './clips.fixture.ts';
import type { DecoderRunner } from './images/open-image-decoder.ts';
import { createRunner, type Runner } from './runner.ts';

let opened: Promise<Runner> | null = null;

/**
 * The sandbox of this machine, which the tests of a process share: trying it out takes a run of ffmpeg. For hooks:
 * node:test adds a test to the suite that made the promise which was awaited before it.
 */
export async function openTestRunner(): Promise<Runner> {
  opened ??= createRunner({ missingTools: 'when-run' });
  return opened;
}

/** The same, opened when the first test needs it. */
export const testRunner: DecoderRunner = {
  startProgram: async (...args) => (await openTestRunner()).startProgram(...args),
  runProgram: async (...args) => (await openTestRunner()).runProgram(...args),
  prepareWorkDir: async (...args) => (await openTestRunner()).prepareWorkDir(...args),
};
/** The bytes of a clip made by ffmpeg, which is cached across runs. */
export async function readClip(runner: Runner, fileName: string, args: readonly string[]): Promise<Buffer> {
  const clips = await openClips(runner);
  try {
    return await readFile(await clips.make(fileName, args));
  } finally {
    await clips.remove();
  }
}

export { endLeftSandboxes } from '../../../packages/sandbox/src/processes.fixture.ts';
export { referenceModel, repeatingModel } from '../../../packages/upscale/src/reference-model.fixture.ts';
export { frameCounter, withStages } from './encode/piped/toy-stages.fixture.ts';
export { faultyRunner } from './encode/verify/faulty-runner.fixture.ts';
export { type PackageOptions, packageVideo } from './package/package-video.fixture.ts';
export { STAGES } from './stages/stages.ts';
