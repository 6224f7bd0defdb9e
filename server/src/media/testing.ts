import { createRunner, type Runner } from './runner.ts';

let opened: Promise<Runner> | null = null;

/** The sandbox of this machine, opened when the first test needs it. */
export const testRunner: Pick<Runner, 'startProgram'> = {
  async startProgram(...args) {
    opened ??= createRunner({ missingTools: 'when-run' });
    return (await opened).startProgram(...args);
  },
};
export { packageVideo } from './package/package-video.fixture.ts';
