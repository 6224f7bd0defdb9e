import type { Writable } from 'node:stream';
import { RunError } from '../core/run-error.ts';
import type { RunResult, Supervised, SuperviseOptions } from './supervise.ts';

/** A program that can be started between others. */
export interface PipedStart {
  /** Name of the program in errors. */
  readonly name: string;
  start(streams: Pick<SuperviseOptions, 'input' | 'output'>, signal: AbortSignal): Promise<Supervised>;
}

export interface PipedOptions {
  readonly signal?: AbortSignal;
  /** Ends all as `stalled` when none of them used CPU time for so long; default two minutes. */
  readonly stallMs?: number;
}

const STALL_MS = 120_000;
/** After one has failed, the others end by themselves within this time, so that the first cause is known; or never. */
const GRACE_MS = 1_000;

/**
 * Runs programs whose standard output is the standard input of the next one; the kernel passes the bytes on and keeps
 * each from getting far ahead of the next. When one fails, all are ended.
 * @throws RunError of the one that failed first.
 */
export async function runPiped(
  starts: readonly PipedStart[],
  { signal, stallMs = STALL_MS }: PipedOptions,
): Promise<RunResult[]> {
  const ending = new AbortController();
  const failures: { readonly index: number; readonly error: unknown }[] = [];
  let grace: NodeJS.Timeout | undefined;
  const fail = (index: number, error: unknown) => {
    failures.push({ index, error });
    grace ??= setTimeout(() => ending.abort(), GRACE_MS);
  };
  const running = await startAll(starts, signal ? AbortSignal.any([signal, ending.signal]) : ending.signal, fail);
  let stalled = false;
  const endWatch = watchCpu(running.started, stallMs, () => {
    stalled = true;
    ending.abort();
  });
  if (!running.complete) ending.abort();
  const results = await Promise.all(running.ended);
  clearTimeout(grace);
  endWatch();
  const names = starts.map(({ name }) => name);
  if (signal?.aborted) throw new RunError('aborted', { tool: names.join(' | ') });
  if (stalled) throw new RunError('stalled', { tool: names.slice(1, -1).join(' | ') });
  if (failures.length > 0) throw firstCause(names, failures);
  if (!running.complete) throw endedEarly(names[starts.length - running.started.length]);
  return results.filter((result) => result !== null);
}

interface Running {
  /** From the last to the first. */
  readonly started: readonly Supervised[];
  /** In their order; null for those that failed. */
  readonly ended: readonly Promise<RunResult | null>[];
  readonly complete: boolean;
}

/** Starts the last one first: what it reads from is then waiting for the one before. */
async function startAll(
  starts: readonly PipedStart[],
  signal: AbortSignal,
  fail: (index: number, error: unknown) => void,
): Promise<Running> {
  const started: Supervised[] = [];
  const ended: Promise<RunResult | null>[] = [];
  let output: 'collect' | Writable = 'collect';
  for (const [index, { start }] of [...starts.entries()].toReversed()) {
    // The one that would read it has ended already.
    if (typeof output !== 'string' && output.destroyed) return { started, ended, complete: false };
    const settled = (error: unknown) => {
      fail(index, error);
      return null;
    };
    try {
      const supervised: Supervised = await start({ input: index > 0, output }, signal);
      started.push(supervised);
      ended.unshift(supervised.ended.catch(settled));
      release(output);
      output = supervised.child.stdin ?? 'collect';
      if (typeof output !== 'string') output.on('error', () => {});
    } catch (error) {
      release(output);
      settled(error);
      return { started, ended, complete: false };
    }
  }
  return { started, ended, complete: true };
}

/** Closes this process's end of a pipe: only the programs at both ends keep it open. */
function release(output: 'collect' | Writable): void {
  if (typeof output !== 'string') output.destroy();
}

/** Calls `onStalled` once no process has used CPU time for so long. Returns the function that ends it. */
function watchCpu(all: readonly Supervised[], stallMs: number, onStalled: () => void): () => void {
  let seenMs = -1;
  let changedAt = performance.now();
  const timer = setInterval(() => {
    const cpuMs = all.reduce((sum, each) => sum + each.cpuMs(), 0);
    if (cpuMs !== seenMs) changedAt = performance.now();
    else if (performance.now() - changedAt > stallMs) onStalled();
    seenMs = cpuMs;
  }, stallMs / 10);
  return () => clearInterval(timer);
}

/**
 * The failure that caused the others. Who writes to a program that has ended fails with a broken pipe, who reads from
 * it may fail because something is missing: the first in the order that is not a broken pipe is the cause, and if all
 * are, the one that did not read on. Limits, full disks and kills are never consequences.
 */
function firstCause(
  names: readonly string[],
  failures: readonly { readonly index: number; readonly error: unknown }[],
): unknown {
  const own = failures.find(({ error }) => !(error instanceof RunError && ['exit', 'aborted'].includes(error.reason)));
  if (own) return own.error;
  const ordered = failures
    .filter(({ error }) => !(error instanceof RunError && error.reason === 'aborted'))
    .toSorted((a, b) => a.index - b.index);
  const cause = ordered.find(({ error }) => !isBrokenPipe(error));
  if (cause) return cause.error;
  const last = ordered.at(-1);
  return last ? endedEarly(names[last.index + 1]) : failures[0]?.error;
}

function endedEarly(tool = ''): RunError {
  return new RunError('exit', { tool, stderrTail: 'It ended before it had read all of its input.' });
}

/** EPIPE, or ECONNRESET where the reader left something unread: the pipes of Node are sockets (unix(7)). */
const BROKEN_PIPE = /broken pipe|connection reset|EPIPE|ECONNRESET/i;

function isBrokenPipe(error: unknown): boolean {
  return error instanceof RunError && (error.signal === 'SIGPIPE' || BROKEN_PIPE.test(error.stderrTail));
}
