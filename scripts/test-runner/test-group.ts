/** What a process of tests runs: the files of a group. */
import asyncHooks from 'node:async_hooks';
import { resolve } from 'node:path';

/**
 * Captures the async hook by which node:test knows to which suite a test belongs that is declared after an `await`. It
 * makes a promise cost 1.1 instead of 0.05 µs, which is 6 % of the time of all tests, and is not needed once they are
 * declared: an error that no test waits for then fails the process instead of the test that is running.
 */
function captureHook(): { disable(): void } {
  const { createHook } = asyncHooks;
  let hook: asyncHooks.AsyncHook | null = null;
  asyncHooks.createHook = (callbacks) => {
    asyncHooks.createHook = createHook;
    hook = createHook(callbacks);
    return hook;
  };
  return {
    disable() {
      if (!hook) throw new Error('node:test creates no async hook any more: remove captureHook.');
      hook.disable();
    },
  };
}

const hook = captureHook();
// Loaded after that: it takes `createHook` when it is loaded.
const { after, describe } = await import('node:test');

/**
 * Declares a suite for each file, so that hooks outside suites are those of their file, and a file that does not load
 * fails alone. What suites need is awaited outside of them: nothing waits for a suite that does. A process that
 * something keeps open after its tests fails after `maxExitMs`.
 */
export function runGroup(files: readonly string[], maxExitMs: number): void {
  let loading = false;
  let left = files.length;
  // One after the other: a file that waits for a module which another one loads would continue in that one's suite,
  // which may have ended. The promise that is waited for belongs to the suite, and so does what is loaded then.
  const load = async (file: string) => {
    while (loading) await new Promise((done) => void setTimeout(done, 2));
    loading = true;
    try {
      await import(file);
    } finally {
      loading = false;
      left -= 1;
      if (left === 0) hook.disable();
    }
  };
  for (const file of files) describe(file, () => load(resolve(file)));
  after(() => {
    const exit = () => {
      console.error(`kept open after the last test: ${process.getActiveResourcesInfo()}`);
      process.exit(1);
    };
    setTimeout(exit, maxExitMs).unref();
  });
}
