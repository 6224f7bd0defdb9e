import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, copyFile, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { until } from '../testing/until.ts';
import { isRunning, openClips, QUICK_H264, testVideo } from './clips.fixture.ts';
import { classifyExit, RunError } from './run-error.ts';
import { createRunner, inputArg } from './runner.ts';
import { findExecutable } from './sandbox/executables.ts';
import type { RunLimits } from './sandbox/limits.ts';
import { folderBytes } from './sandbox/watch.ts';
import { missingToolHelp, names, probeTools } from './tools.ts';

const runner = await createRunner();
const clips = await openClips(runner);
const root = await mkdtemp(join(tmpdir(), 'runner-'));
after(async () => {
  await clips.remove();
  await rm(root, { recursive: true, force: true });
});

const LIMITS: RunLimits = { cpuSeconds: 20, memoryBytes: 4 * 1024 ** 3, outputBytes: 64 * 1024 ** 2, wallMs: 20_000 };
const ENDLESS = ['-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=25'];
let folders = 0;
async function workDir(): Promise<string> {
  const folder = join(root, `work-${folders++}`);
  await runner.prepareWorkDir(folder);
  return folder;
}

test('a run returns its output and its CPU time', async () => {
  const result = await runner.run('ffprobe', ['-version'], { limits: LIMITS });
  assert.match(result.stdout, /^ffprobe version/);
  const busy = await runner.run('ffmpeg', [...testVideo('320x180', 25, 4), ...QUICK_H264, '-f', 'null', '-'], {
    limits: LIMITS,
  });
  assert.ok(busy.cpuMs > 10 && busy.cpuMs < 20_000, `${busy.cpuMs}`);
  assert.ok(busy.wallMs > 10);
});

test('lines are passed on during the run', async () => {
  const lines: string[] = [];
  const args = ['-progress', 'pipe:1', ...testVideo('64x64', 25, 1), '-f', 'null', '-'];
  const { stdout } = await runner.run('ffmpeg', args, {
    limits: LIMITS,
    onStdoutLine: (line) => lines.push(line),
    maxStdoutBytes: 0,
  });
  assert.ok(lines.includes('progress=end'));
  assert.equal(stdout, '');
});

test('input and work folder may lie below folders the sandboxed user cannot enter, and the input may be private', async () => {
  const hidden = join(root, 'hidden');
  await mkdir(hidden, { mode: 0o700 });
  const clip = await clips.make('clip.mp4', [...testVideo('64x64', 25, 1), ...QUICK_H264]);
  for (const mode of [0o644, 0o600]) {
    const input = join(hidden, `clip-${mode}.mp4`);
    await copyFile(clip, input);
    await chmod(input, mode);
    const cwd = join(hidden, `work-${mode}`);
    await runner.prepareWorkDir(cwd, ['out']);
    await runner.run('ffmpeg', ['-f', 'mov', '-i', inputArg(0), '-c', 'copy', 'out/copy.mp4'], {
      cwd,
      limits: LIMITS,
      inputs: [input],
    });
    assert.ok((await stat(join(cwd, 'out', 'copy.mp4'))).size > 0);
    assert.deepEqual(
      [await readdir(cwd), (await readdir(hidden)).filter((name) => name.startsWith('.'))],
      [['out'], []],
      'no copy of the input is left',
    );
    assert.equal((await stat(input)).mode & 0o777, mode, 'the input is as it was');
  }
});

const endings: [name: string, reason: string, args: string[], limits: Partial<RunLimits>][] = [
  ['wall time', 'timeout', ['-re', ...ENDLESS, '-f', 'null', '-'], { wallMs: 600 }],
  ['CPU time', 'cpu-limit', [...ENDLESS, ...QUICK_H264, '-f', 'null', '-'], { cpuSeconds: 1 }],
  ['one file', 'output-limit', [...ENDLESS, '-c:v', 'rawvideo', '-f', 'rawvideo', 'x.raw'], { outputBytes: 1_000_000 }],
  ['many files', 'output-limit', [...ENDLESS, '-c:v', 'mjpeg', 'x-%05d.jpg'], { outputBytes: 1_000_000 }],
  [
    'memory',
    'memory',
    [...testVideo('1920x1080', 25, 2), '-c:v', 'libx264', '-f', 'null', '-'],
    { memoryBytes: 120_000_000 },
  ],
];
for (const [name, reason, args, limits] of endings) {
  test(`a runaway is stopped by its limit on ${name}, with all its processes`, async () => {
    const marker = `marker-${name.replace(' ', '-')}-${process.pid}`;
    const marked = [...args.slice(0, -1), '-metadata', `title=${marker}`, ...args.slice(-1)];
    await assert.rejects(
      runner.run('ffmpeg', marked, { cwd: await workDir(), limits: { ...LIMITS, ...limits } }),
      (error) => {
        assert.ok(error instanceof RunError);
        assert.equal(error.reason, reason, error.stderrTail);
        return true;
      },
    );
    assert.equal(await isRunning(marker), false);
  });
}

test('too much standard output ends the run', async () => {
  await assert.rejects(runner.run('ffmpeg', ['-encoders'], { limits: LIMITS, maxStdoutBytes: 100 }), {
    name: 'RunError',
    reason: 'output-limit',
  });
});

test('an abort kills the run, and one before the start prevents it', async () => {
  const controller = new AbortController();
  const marker = `marker-abort-${process.pid}`;
  const run = runner.run('ffmpeg', ['-re', ...ENDLESS, '-metadata', `title=${marker}`, '-f', 'null', '-'], {
    limits: LIMITS,
    signal: controller.signal,
  });
  await until(() => isRunning(marker));
  controller.abort();
  await assert.rejects(run, { reason: 'aborted' });
  assert.equal(await isRunning(marker), false);
  await assert.rejects(runner.run('ffprobe', ['-version'], { limits: LIMITS, signal: controller.signal }), {
    reason: 'aborted',
  });
});

test('a failing tool reports why', async () => {
  const input = await clips.write('not-media.mp4', 'x'.repeat(5000));
  await assert.rejects(
    runner.run('ffprobe', ['-f', 'mov', '-i', inputArg(0)], { limits: LIMITS, inputs: [input] }),
    (error) => {
      assert.ok(error instanceof RunError);
      assert.equal(error.reason, 'exit');
      assert.match(error.stderrTail, /Invalid data|moov atom not found/);
      return true;
    },
  );
});

test('the tool dies with the process that started it', async () => {
  const marker = `marker-orphan-${process.pid}`;
  const script = `
    import { createRunner } from ${JSON.stringify(join(import.meta.dirname, 'runner.ts'))};
    const runner = await createRunner();
    const title = 'title=' + process.argv[1];
    const endless = ['-re', '-f', 'lavfi', '-i', 'testsrc2', '-metadata', title, '-f', 'null', '-'];
    await runner.run('ffmpeg', endless, { limits: ${JSON.stringify(LIMITS)} });`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script, '--', marker], { stdio: 'ignore' });
  // Before that, bubblewrap may not have asked the kernel to be killed with its parent.
  await until(() => isRunning(marker, '/ffmpeg'), 'the tool runs');
  parent.kill('SIGKILL');
  await until(async () => !(await isRunning(marker)), 'the tool ends');
});

test('the sandbox has no network, not even loopback', async () => {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  await assert.rejects(
    runner.run('ffmpeg', ['-i', `http://127.0.0.1:${address.port}/x.mp4`, '-f', 'null', '-'], { limits: LIMITS }),
  );
  await new Promise((closed) => server.close(closed));
  assert.equal(connections, 0);
});

test('the tool writes only to its work folder, whose files become private to the platform', async () => {
  const cwd = await workDir();
  await runner.run('ffmpeg', [...testVideo('64x64', 1, 1), '-frames:v', '1', 'x.png'], { cwd, limits: LIMITS });
  const written = await stat(join(cwd, 'x.png'));
  assert.deepEqual([written.uid, written.mode & 0o777], [process.getuid?.(), 0o600]);
  await assert.rejects(
    runner.run('ffmpeg', [...testVideo('64x64', 1, 1), '-frames:v', '1', join(cwd, 'y.png')], { cwd, limits: LIMITS }),
    {
      reason: 'exit',
    },
  );
  assert.deepEqual(await readdir(cwd), ['x.png']);
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
    await until(() => child.stdout.readableLength === 5000);
    if (reason === 'aborted') child.kill();
    await assert.rejects(child.ended, { name: 'RunError', reason });
  }
});

test('a required but incomplete sandbox runs nothing, and can be rechecked', async () => {
  const demanding = await createRunner({ require: true, methods: ['partial'] });
  const cwd = await workDir();
  assert.equal(demanding.isUsable, false);
  assert.ok(demanding.sandbox.warnings.length > 0);
  const frame = [...testVideo('64x64', 1, 1), '-frames:v', '1', 'x.png'];
  await assert.rejects(demanding.run('ffmpeg', frame, { cwd, limits: LIMITS }), {
    name: 'RunError',
    reason: 'sandbox',
  });
  await assert.rejects(demanding.startProgram(process.execPath, ['--version'], { limits: LIMITS }), {
    reason: 'sandbox',
  });
  assert.deepEqual(await readdir(cwd), []);
  await demanding.recheck();
  assert.equal(demanding.isUsable, false);
});

test('failures are derived from exit code and signal, not from output of files', () => {
  assert.equal(classifyExit(null, 'SIGXCPU', ''), 'cpu-limit');
  assert.equal(classifyExit(null, 'SIGXFSZ', ''), 'output-limit');
  assert.equal(classifyExit(255, null, ''), 'signal');
  assert.equal(classifyExit(null, 'SIGKILL', ''), 'signal');
  assert.equal(classifyExit(null, 'SIGSEGV', ''), 'exit');
  assert.equal(
    classifyExit(127, null, 'setpriv: failed to execute /x/ffmpeg: No such file or directory'),
    'missing-binary',
  );
  assert.equal(
    classifyExit(127, null, 'setpriv: failed to execute /x/ffmpeg: Resource temporarily unavailable'),
    'busy',
  );
  assert.equal(classifyExit(126, null, 'prlimit: failed to execute /x/bwrap: Cannot allocate memory'), 'busy');
  assert.equal(classifyExit(1, null, 'x264 [error]: malloc of size 12345 failed'), 'memory');
  for (const title of [
    'No space left on device',
    'Disk quota exceeded',
    'File too large',
    'Exiting normally, received signal 15.',
    'Exiting normally, received signal 24.',
    'x264 [error]: malloc of size 12345 failed',
  ])
    assert.equal(
      classifyExit(1, null, `[info]     title           : ${title}\n                    : ${title}`),
      'exit',
      title,
    );
});

test('a missing tool is reported at once, with a suggested fix', async () => {
  await assert.rejects(createRunner({ ffmpegPath: join(root, 'no-ffmpeg') }), (error) => {
    assert.ok(error instanceof RunError && error.reason === 'missing-binary');
    assert.match(missingToolHelp(error), /no-ffmpeg.*FFMPEG_PATH/);
    return true;
  });
  assert.equal(findExecutable('no-such-tool', '/usr/bin:/bin'), null);
});

test('the installed tools support uploads', async () => {
  const facts = await probeTools(runner);
  assert.deepEqual(facts.problems, []);
  assert.match(facts.ffmpegVersion, /\d/);
  assert.deepEqual(
    [...names(' V....D libx264  H.264\n  E hls   Apple\n .SC zscale  V->V\n ------\n')],
    ['libx264', 'hls', 'zscale'],
  );
});
