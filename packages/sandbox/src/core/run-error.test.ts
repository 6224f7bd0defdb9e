import assert from 'node:assert/strict';
import { test } from 'node:test';
import { classifyExit } from './run-error.ts';

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
