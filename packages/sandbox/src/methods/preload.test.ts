import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createProgramRunner } from '../runner.ts';
import { preloadCommand } from './preload.ts';

describe('libraries that are loaded first', () => {
  const folder = '/lib/x86_64-linux-gnu';
  const others = Array.from({ length: 100 }, (_, index) => `${folder}/libother${index}.so.1`);

  it('are the ones in which most symbols are found, in this order', () => {
    const libraries = [`${folder}/libcrypto.so.3`, ...others, `${folder}/libcairo-gobject.so.2`, `${folder}/libc.so.6`];
    assert.deepEqual(preloadCommand('/usr/bin/env', libraries), [
      '/usr/bin/env',
      `LD_PRELOAD=${folder}/libc.so.6:${folder}/libcrypto.so.3`,
    ]);
  });

  it('are none where a program has few libraries, or env is not installed', () => {
    assert.deepEqual(preloadCommand('/usr/bin/env', [`${folder}/libc.so.6`, `${folder}/libm.so.6`]), []);
    assert.deepEqual(preloadCommand(null, [`${folder}/libc.so.6`, ...others]), []);
  });

  it('are found by the loader in the sandbox', async () => {
    const runner = await createProgramRunner();
    const limits = { cpuSeconds: 20, memoryBytes: 4 * 1024 ** 3, outputBytes: 1024, wallMs: 20_000 };
    const { stdout, stderrTail } = await runner.runProgram('ffmpeg', ['-version'], { limits });
    assert.match(stdout, /^ffmpeg version/);
    assert.equal(stderrTail, '');
  });
});
