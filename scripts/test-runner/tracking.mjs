import { createHook } from 'node:async_hooks';

const hooks = Object.getPrototypeOf(createHook({}));
const { enable } = hooks;
let tracking;

// node:test enables its hook with the first suite that is declared, which is after this module.
hooks.enable = function () {
  hooks.enable = enable;
  tracking = this;
  return enable.call(this);
};

/**
 * Ends how node:test tracks which test each promise belongs to, which takes 8 % of a run. Suites that wait while they
 * declare their tests need it, so it ends when the tests begin. From then on an error that no test waits for fails the
 * process, not one test.
 */
export function endTracking() {
  tracking?.disable();
}
