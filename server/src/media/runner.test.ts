import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { inputArg, RunError, type RunLimits } from '@reelgraph/sandbox';
import { isRunning } from '../../../packages/sandbox/src/processes.fixture.ts';
import { until } from '../testing/until.ts';
import { openClips, QUICK_H264, testVideo } from './clips.fixture.ts';
import { createRunner } from './runner.ts';
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

test('a missing tool is reported at once, with a suggested fix', async () => {
  await assert.rejects(createRunner({ ffmpegPath: join(root, 'no-ffmpeg') }), (error) => {
    assert.ok(error instanceof RunError && error.reason === 'missing-binary');
    assert.match(missingToolHelp(error), /no-ffmpeg.*FFMPEG_PATH/);
    return true;
  });
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
