import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { findExecutable } from './core/executables.ts';
import type { RunLimits } from './core/limits.ts';
import { until } from './processes.fixture.ts';
import { folderBytes } from './run/watch.ts';
import { createProgramRunner } from './runner.ts';

const runner = await createProgramRunner();
const root = await mkdtemp(join(tmpdir(), 'runner-'));
after(() => rm(root, { recursive: true, force: true }));

const LIMITS: RunLimits = { cpuSeconds: 20, memoryBytes: 4 * 1024 ** 3, outputBytes: 64 * 1024 ** 2, wallMs: 20_000 };
let folders = 0;
async function workDir(): Promise<string> {
  const folder = join(root, `work-${folders++}`);
  await runner.prepareWorkDir(folder);
  return folder;
}

test('a program that is not installed is reported by its name', async () => {
  await assert.rejects(runner.runProgram('no-such-program', [], { limits: LIMITS, name: 'the tool' }), {
    name: 'RunError',
    reason: 'missing-binary',
    tool: 'the tool',
    stderrTail: 'no-such-program is not an executable file',
  });
  assert.equal(findExecutable('no-such-program', '/usr/bin:/bin'), null);
});

const HIDING: [name: string, reason: string, script: string][] = [
  [
    'under a name that is not UTF-8',
    'bad-output',
    'fs.writeFileSync(Buffer.from([0x61, 0xff]), Buffer.alloc(4_000_000));',
  ],
  [
    'in a file without a name',
    'output-limit',
    "for (let n = 0; n < 4; n += 1) { const fd = fs.openSync('x', 'w'); " +
      "fs.unlinkSync('x'); fs.writeSync(fd, Buffer.alloc(900_000)); }",
  ],
  [
    'below folders without end',
    'bad-output',
    "for (let n = 0; n < 60; n += 1) { fs.mkdirSync('n'.repeat(100)); " +
      "process.chdir('n'.repeat(100)); } fs.writeFileSync('x', Buffer.alloc(900_000));",
  ],
];
for (const [name, reason, script] of HIDING) {
  test(`output ${name} is stopped and removed`, async () => {
    const cwd = await workDir();
    const run = runner.runProgram(
      process.execPath,
      ['-e', `const fs = require('node:fs'); ${script} setInterval(() => {}, 1000);`],
      {
        cwd,
        limits: { ...LIMITS, outputBytes: 1_000_000, memoryBytes: 1024 ** 3 },
      },
    );
    await assert.rejects(run, { name: 'RunError', reason });
    assert.ok((await folderBytes(cwd)) < 1_000_000);
    for (const left of await readdir(cwd)) assert.equal((await stat(join(cwd, left))).uid, process.getuid?.());
  });
}

test('a program communicates while it runs, and is killed on request', async () => {
  const echo = "process.stdin.on('data', (text) => process.stdout.write(String(text).toUpperCase()))";
  const child = await runner.startProgram(process.execPath, ['-e', echo], {
    limits: { ...LIMITS, wallMs: Number.POSITIVE_INFINITY },
  });
  child.stdin.write('hello');
  const [answer] = (await once(child.stdout, 'data')) as [Buffer];
  assert.equal(answer.toString(), 'HELLO');
  child.kill();
  await assert.rejects(child.ended, { name: 'RunError', reason: 'aborted' });
});

test('a program whose output is not read to its end ends when it is killed, and at its time limit', async () => {
  // A pause between the writes, so that the second arrives by itself and waits in the stream.
  const writes =
    'process.stdout.write(Buffer.alloc(5)); setTimeout(() => process.stdout.write(Buffer.alloc(5000)), 50);';
  const lasting = `${writes} setInterval(() => {}, 1000);`;
  for (const [reason, wallMs] of [['aborted', Number.POSITIVE_INFINITY] as const, ['timeout', 2000] as const]) {
    const child = await runner.startProgram(process.execPath, ['-e', lasting], { limits: { ...LIMITS, wallMs } });
    const chunks = child.stdout[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    assert.equal((await chunks.next()).value?.length, 5);
    await until(() => child.stdout.readableLength === 5000, 'the second arrived');
    if (reason === 'aborted') child.kill();
    await assert.rejects(child.ended, { name: 'RunError', reason });
  }
});

test('a required but incomplete sandbox says what it lacks', async () => {
  const demanding = await createProgramRunner({ require: true, methods: ['partial'] });
  const problems = demanding.sandbox.warnings.map(({ problem }) => problem);
  assert.ok(problems.includes('FILES'));
  await assert.rejects(demanding.runProgram('true', [], { limits: LIMITS }), {
    reason: 'sandbox',
    stderrTail: problems.join('\n'),
  });
});
