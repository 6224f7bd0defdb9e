import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { findExecutable } from './core/executables.ts';
import { RunError } from './core/run-error.ts';
import { inputArg, type SandboxMethod, WORK_DIR } from './core/sandbox.ts';
import { createProgramRunner } from './runner.ts';

/** Acts as the platform, as the starting user: runs the probe in one sandbox method and prints the result. */
const [method = 'bubblewrap', workDir = '', input = '', plan = '{}'] = process.argv.slice(2);
const probe = join(import.meta.dirname, 'escape-probe.fixture.mjs');
const unshare = findExecutable('unshare', '/usr/bin:/bin') ?? '';
// The test passes one of the methods.
const runner = await createProgramRunner({ methods: [method as SandboxMethod] });
await runner.prepareWorkDir(workDir);
const facts = {
  ...JSON.parse(plan),
  platform: process.pid,
  unshare,
  node: process.execPath,
  work: WORK_DIR,
  input: inputArg(0),
};
// A link that was left makes the run fail, so that its result is not at hand: the lines are.
let printed = '';
const failure = await runner
  .runProgram(process.execPath, [probe, JSON.stringify(facts)], {
    cwd: workDir,
    inputs: [input],
    readOnly: [probe, unshare],
    limits: { cpuSeconds: 20, memoryBytes: 4 * 1024 ** 3, outputBytes: 1024 ** 2, wallMs: 30_000 },
    onStdoutLine: (line) => {
      printed += line;
    },
  })
  .then(() => null)
  .catch((error: unknown) =>
    error instanceof RunError ? { reason: error.reason, stderrTail: error.stderrTail } : { reason: String(error) },
  );
const left = await Promise.all(
  (await readdir(workDir)).map(async (name) => {
    const { uid, mode } = await stat(join(workDir, name));
    return { name, uid, mode: mode & 0o777 };
  }),
);
process.stdout.write(JSON.stringify({ sandbox: runner.sandbox, printed, failure, left }));
