/**
 * How Node runs our programs. Left to itself, V8 lets its space for new objects grow with the machine (to 128 MiB on
 * one of 24 GiB) and its garbage to as much as what lives; 16 MiB and a quarter as much serve requests as fast
 * (docs/benchmarks.md, "Agents"). `gc` lets the platform release memory after its start.
 */
export const NODE_FLAGS = [
  '--disable-warning=ExperimentalWarning',
  '--max-semi-space-size=8',
  '--heap-growing-percent=25',
  '--expose-gc',
];

/**
 * Environment of our programs, for malloc of glibc: large buffers are returned to the system when they are freed,
 * instead of being kept for others, and threads share two arenas. Elsewhere it means nothing.
 */
export const MALLOC_SETTINGS = { MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_ARENA_MAX: '2' };

/**
 * How Node runs the checks: they exit before garbage matters, and collecting it costs 5 % of their time. Functions are
 * optimized after 4 and 13 times as many calls as usual: for most tests that comes too late, and costs another 5 %.
 */
export const CHECK_FLAGS = [
  '--disable-warning=ExperimentalWarning',
  '--max-semi-space-size=32',
  '--invocation-count-for-maglev=1500',
  '--invocation-count-for-turbofan=40000',
];
