import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type PipedCommand, RunError } from '@reelgraph/sandbox';
import { isRunning } from '../../../packages/sandbox/src/processes.fixture.ts';
import { THOROUGH } from '../../../scripts/test-runner/cases.ts';
import { clips, LIMITS, runner } from './package/packaging.fixture.ts';
import { createRunner } from './runner.ts';

const RAW = ['-f', 'rawvideo', '-pixel_format', 'gray', '-video_size', '320x180', '-framerate', '25'];
const FRAME_BYTES = 320 * 180;

/** ffmpeg writes frames; `-re` at 25 a second. */
function frames(args: readonly string[], options: Partial<PipedCommand['options']> = {}): PipedCommand {
  const source = ['-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=25', '-pix_fmt', 'gray'];
  const output = ['-c:v', 'rawvideo', '-f', 'rawvideo', 'pipe:1'];
  return {
    ...{ name: 'writer', program: 'ffmpeg', args: [...source, ...args, ...output] },
    options: { limits: LIMITS, ...options },
  };
}

function program(name: string, command: readonly [string, ...string[]]): PipedCommand {
  const [path, ...args] = command;
  return { name, program: path, args, options: { limits: { ...LIMITS, outputBytes: 0 } } };
}

/** ffmpeg reads frames, and writes a file of them. */
function reader(cwd: string, args: readonly string[] = [], before: readonly string[] = []): PipedCommand {
  const output = [...args, '-c:v', 'rawvideo', '-f', 'rawvideo', 'frames.gray'];
  return {
    ...{ name: 'reader', program: 'ffmpeg', args: [...before, ...RAW, '-i', 'pipe:0', ...output] },
    options: { limits: LIMITS, cwd },
  };
}

async function workDir(): Promise<string> {
  const folder = clips.fresh('piped');
  await runner.prepareWorkDir(folder);
  return folder;
}

/** Which failed, and how. */
async function failureOf(commands: readonly PipedCommand[], stallMs?: number): Promise<[string, string]> {
  const options = stallMs === undefined ? {} : { stallMs };
  const error: unknown = await runner.runPiped(commands, options).then(
    () => assert.fail('it did not fail'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof RunError, String(error));
  return [error.tool, error.reason];
}

describe('programs that are piped', () => {
  for (const method of ['bubblewrap', 'unshare', 'partial'] as const) {
    it(`pass everything on, in its order, when they are isolated by ${method}`, async (t) => {
      const isolated = await createRunner({ methods: [method] });
      if (isolated.sandbox.method !== method) return t.skip('not possible on this machine');
      const [piped, alone] = [await workDir(), await workDir()];
      const results = await isolated.runPiped([frames(['-t', '4']), program('copy', ['cat']), reader(piped)], {});
      assert.equal(results.length, 3);
      const { args } = frames(['-t', '4']);
      await runner.run('ffmpeg', [...args.slice(0, -1), 'frames.gray'], { cwd: alone, limits: LIMITS });
      const [made, expected] = [await readFile(join(piped, 'frames.gray')), await readFile(join(alone, 'frames.gray'))];
      assert.deepEqual([made.length, made.equals(expected)], [100 * FRAME_BYTES, true]);
    });
  }

  it('wait for the slower ones: what is written and not yet read is bounded', THOROUGH, async () => {
    let written = 0;
    const onStderrLine = (line: string) => {
      written = Number(/frame= *(\d+)/.exec(line)?.[1] ?? written);
    };
    // Reads in real time, and ends after a second: 25 frames.
    const slow = reader(await workDir(), ['-t', '1'], ['-re', '-probesize', '32', '-analyzeduration', '0']);
    await assert.rejects(runner.runPiped([frames([], { onStderrLine }), program('copy', ['cat']), slow], {}));
    // Frames of 58 kB, in two sockets and three programs.
    assert.ok(written > 20 && written < 80, `${written} frames`);
  });

  const endings: [name: string, commands: () => Promise<PipedCommand[]>, expected: [string, string]][] = [
    [
      'fails by itself',
      async () => [frames([]), program('failing', ['false']), reader(await workDir())],
      ['failing', 'exit'],
    ],
    [
      'ends without reading on',
      async () => [frames([]), program('leaving', ['head', '-c', '100000']), reader(await workDir())],
      ['leaving', 'exit'],
    ],
    [
      'writes first, and fails',
      async () => [frames(['-unknown', '1']), program('copy', ['cat']), reader(await workDir())],
      ['writer', 'exit'],
    ],
    [
      'reads last, and fails',
      async () => [frames([]), program('copy', ['cat']), reader(await workDir(), ['-vf', 'unknown'])],
      ['reader', 'exit'],
    ],
    [
      'is not installed',
      async () => [frames([]), program('missing', ['/usr/bin/no-such-program']), reader(await workDir())],
      ['missing', 'missing-binary'],
    ],
    [
      'reaches a limit',
      async () => [
        frames([]),
        program('copy', ['cat']),
        {
          ...reader(await workDir()),
          options: { limits: { ...LIMITS, outputBytes: 1_000_000 }, cwd: await workDir() },
        },
      ],
      ['reader', 'output-limit'],
    ],
  ];
  for (const [name, commands, expected] of endings) {
    it(`all end when one ${name}, which is named`, async () => {
      assert.deepEqual(await failureOf(await commands()), expected);
    });
  }

  it('all end when none of them works any more', THOROUGH, async () => {
    const marker = `1000.${process.pid}`;
    const asleep = program('asleep', ['sleep', marker]);
    assert.deepEqual(await failureOf([frames([]), asleep, reader(await workDir())], 1000), ['asleep', 'stalled']);
    assert.equal(await isRunning(marker), false);
  });

  it('all end when they are cancelled', async () => {
    const cancel = new AbortController();
    const onStderrLine = () => cancel.abort();
    const commands = [frames([], { onStderrLine }), program('copy', ['cat']), reader(await workDir())];
    await assert.rejects(
      runner.runPiped(commands, { signal: cancel.signal }),
      (error) => error instanceof RunError && error.reason === 'aborted',
    );
  });
});
