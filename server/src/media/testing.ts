import type { DecoderRunner } from './images/open-image-decoder.ts';
import { createRunner, type Runner } from './runner.ts';

let opened: Promise<Runner> | null = null;

function openRunner(): Promise<Runner> {
  opened ??= createRunner({ missingTools: 'when-run' });
  return opened;
}

/** The sandbox of this machine, opened when the first test needs it. */
export const testRunner: DecoderRunner = {
  startProgram: async (...args) => (await openRunner()).startProgram(...args),
  runProgram: async (...args) => (await openRunner()).runProgram(...args),
  prepareWorkDir: async (...args) => (await openRunner()).prepareWorkDir(...args),
};
export { faultyRunner } from './encode/verify/faulty-runner.fixture.ts';
export { type PackageOptions, packageVideo } from './package/package-video.fixture.ts';
