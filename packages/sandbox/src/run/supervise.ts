import { writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { DEFAULT_PATH } from '../core/executables.ts';
import type { RunLimits } from '../core/limits.ts';
import { classifyExit, isBusy, RunError, type RunErrorReason } from '../core/run-error.ts';
import type { Launch } from '../core/sandbox.ts';
import { type ChildProcess, spawnProgram } from '../core/spawn-program.ts';
import {
  childrenOf,
  every,
  folderBytes,
  isDiskFull,
  LineSplitter,
  namelessBytes,
  processIdentity,
  TextTail,
  treeCpuMs,
} from './watch.ts';

export interface SuperviseOptions {
  /** Name of the program, for errors. */
  readonly tool: string;
  readonly limits: RunLimits;
  readonly workDir: string | null;
  /** Bytes in the work folder before the run. */
  readonly bytesBefore: number;
  /** Whether standard input is a pipe; otherwise there is none. */
  readonly input: boolean;
  /**
   * Standard output: `collect` cuts it into lines and keeps it, `pipe` leaves it to the caller; or it goes to the
   * standard input of another process.
   */
  readonly output: 'pipe' | 'collect' | Writable;
  /** Whether it has the caller's CPU priority; otherwise a lower one. */
  readonly interactive?: boolean | undefined;
  /** Whether it has the lowest priority. */
  readonly background?: boolean | undefined;
  readonly onStdoutLine?: ((line: string) => void) | undefined;
  readonly onStderrLine?: ((line: string) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly maxStdoutBytes?: number | undefined;
}

export interface RunResult {
  readonly stdout: string;
  /** The last 16 KiB of standard error. */
  readonly stderrTail: string;
  /**
   * CPU time over all threads, user and system, in milliseconds; for other programs than ffmpeg as last seen, about
   * four times a second.
   */
  readonly cpuMs: number;
  readonly wallMs: number;
}

export interface Supervised {
  readonly child: ChildProcess;
  /** Settles when the process and all its descendants have ended. Rejects with RunError. */
  readonly ended: Promise<RunResult>;
  stop(reason: RunErrorReason): void;
  /** CPU time so far, as last seen. */
  cpuMs(): number;
}

/** A tool must not slow down the API on the same machine. */
const NICENESS = 10;
const LOWEST = constants.priority.PRIORITY_LOW;
/**
 * A run that was ended by a signal after this share of its CPU time has reached the limit. The kernel compares the
 * limit with ticks of its clock, whole ones, and reports exact times: on a shared machine 0.69 of 1 s has been seen.
 */
const CPU_LIMIT_SHARE = 0.5;
const STDERR_BYTES = 16 * 1024;
const STDOUT_BYTES = 1024 * 1024;
/** Why fork(2) or execve(2) fails on a machine that is short of processes, memory or descriptors. */
const OUT_OF_RESOURCES = new Set(['EAGAIN', 'ENOMEM', 'EMFILE', 'ENFILE']);
/** The environment of sandboxed programs, without the caller's variables. */
const ENVIRONMENT = { PATH: DEFAULT_PATH, LANG: 'C', HOME: '/nonexistent', AV_LOG_FORCE_NOCOLOR: '1' };

/** Starts the process in a new group and supervises it until the whole group has ended. */
export function supervise(launch: Launch, options: SuperviseOptions): Supervised {
  const { tool, limits, output } = options;
  const startedAt = performance.now();
  const [command = '', ...args] = launch.argv;
  const child = spawnProgram(command, args, {
    cwd: launch.cwd,
    detached: true,
    stdio: [options.input ? 'pipe' : 'ignore', typeof output === 'string' ? 'pipe' : output, 'pipe', ...launch.stdio],
    env: ENVIRONMENT,
  });
  let cpuMs = 0;
  // What has ended is not seen any more, so a later look may find less.
  const sawCpu = (spent: number) => (cpuMs = Math.max(cpuMs, spent));
  let stopped: RunErrorReason | null = null;
  const stop = (reason: RunErrorReason) => {
    stopped ??= reason;
    namespace?.look();
    killGroup(child);
    // 'close' waits until all output was read; the caller of a stopped process may have given up in the middle of it.
    if (output === 'pipe') child.stdout?.destroy();
  };
  const folder = new WorkFolder(child, options);
  const read = readOutput(child, options, { stop, onCpu: sawCpu });
  const namespace = launch.stdio[0] === 'pipe' ? new NamespaceWatch(child) : null;
  const reported = namespace === null ? null : readStatus(child, () => namespace.look());

  const ended = new Promise<RunResult>((resolve, reject) => {
    const onAbort = () => stop('aborted');
    const wallTimer = Number.isFinite(limits.wallMs) ? setTimeout(() => stop('timeout'), limits.wallMs) : undefined;
    const endWatch = every(async () => {
      sawCpu(treeCpuMs(child.pid ?? 0) ?? 0);
      const excess = await folder.excess();
      if (excess !== null) stop(excess);
    });
    options.signal?.addEventListener('abort', onAbort, { once: true });
    if (options.signal?.aborted) onAbort(); // while the inputs were being opened
    yieldToOthers(child, options.interactive ? 0 : options.background ? LOWEST : NICENESS);
    const finish = () => {
      clearTimeout(wallTimer);
      endWatch();
      options.signal?.removeEventListener('abort', onAbort);
    };
    child.on('error', (error: NodeJS.ErrnoException) => {
      finish();
      const reason = OUT_OF_RESOURCES.has(error.code ?? '') ? 'busy' : 'missing-binary';
      reject(new RunError(reason, { tool, stderrTail: error.message }));
    });
    // Its descendants are killed, too; the pipes, and so 'close', wait for all of them.
    child.on('exit', () => killGroup(child));
    child.on('close', async (code, signalOfChild) => {
      finish();
      await namespace?.emptied();
      const { stdout, stderrTail } = read.end();
      const { exitCode, signal } = endOf(code, signalOfChild, reported);
      const neverRan = reported !== null && code !== null && code !== 0 && !reported.started();
      const notStarted = () => (isBusy(stderrTail) ? 'busy' : 'sandbox');
      const ended = exitCode === 0 ? null : neverRan ? notStarted() : classifyExit(exitCode, signal, stderrTail);
      // ffmpeg ends as if asked to at the soft CPU limit; a tool that did not heed it dies of the hard one, by a plain
      // SIGKILL.
      const cpuSpent = ended === 'signal' && cpuMs >= CPU_LIMIT_SHARE * 1000 * limits.cpuSeconds;
      const outside = ended === null || ended === 'exit' ? await folder.check(ended === 'exit') : null;
      const reason = stopped ?? (cpuSpent ? 'cpu-limit' : null) ?? outside ?? ended;
      if (reason === null) resolve({ stdout, stderrTail, cpuMs, wallMs: performance.now() - startedAt });
      else
        reject(
          new RunError(reason, { tool, exitCode: exitCode ?? undefined, signal: signal ?? undefined, stderrTail }),
        );
    });
  });
  return { child, ended, stop, cpuMs: () => cpuMs };
}

/** What a process has written into its work folder, if it has one. */
class WorkFolder {
  readonly #child: ChildProcess;
  readonly #path: string | null;
  readonly #bytesBefore: number;
  readonly #maxBytes: number;

  constructor(child: ChildProcess, { workDir, bytesBefore, limits }: SuperviseOptions) {
    this.#child = child;
    this.#path = workDir;
    this.#bytesBefore = bytesBefore;
    this.#maxBytes = limits.outputBytes;
  }

  /** Why the process has to be stopped; null as long as it stays below its limit. */
  async excess(): Promise<RunErrorReason | null> {
    const written = await this.#writtenBytes();
    return written > this.#maxBytes ? excessOf(written) : null;
  }

  /**
   * Checks the work folder after a run: output limit reached, or full disk. A write at the limit fails, so there is
   * never more.
   */
  async check(failed: boolean): Promise<RunErrorReason | null> {
    if (this.#path === null) return null;
    const written = await this.#writtenBytes();
    if (written > this.#maxBytes || (failed && written === this.#maxBytes)) return excessOf(written);
    return failed && (await isDiskFull(this.#path)) ? 'disk-full' : null;
  }

  async #writtenBytes(): Promise<number> {
    if (this.#path === null) return 0;
    const named = await folderBytes(this.#path, this.#bytesBefore + this.#maxBytes);
    return named + (await namelessBytes(this.#child.pid ?? 0, this.#path)) - this.#bytesBefore;
  }
}

function excessOf(writtenBytes: number): RunErrorReason {
  return writtenBytes === Number.POSITIVE_INFINITY ? 'bad-output' : 'output-limit';
}

/** The output of the process: collected as lines here, or left to the caller except for standard error. */
function readOutput(
  child: ChildProcess,
  options: SuperviseOptions,
  { stop, onCpu }: { stop: (reason: RunErrorReason) => void; onCpu: (cpuMs: number) => void },
): { end(): { stdout: string; stderrTail: string } } {
  const stdout = new TextTail(Number.MAX_SAFE_INTEGER);
  const stderr = new TextTail(STDERR_BYTES);
  const keep = options.maxStdoutBytes ?? STDOUT_BYTES;
  let stdoutBytes = 0;
  const stdoutLines = new LineSplitter(options.onStdoutLine);
  if (options.output === 'collect') {
    child.stdout?.on('data', (chunk: Buffer) => {
      stdoutBytes += chunk.length;
      stdoutLines.push(chunk);
      if (keep > 0) stdout.push(chunk);
      if (keep > 0 && stdoutBytes > keep) stop('output-limit');
    });
  }
  const stderrLines = new LineSplitter((line) => {
    const spent = benchmarkCpuMs(line);
    if (spent !== null) onCpu(spent);
    options.onStderrLine?.(line);
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr.push(chunk);
    stderrLines.push(chunk);
  });
  return {
    end() {
      stdoutLines.end();
      stderrLines.end();
      return { stdout: stdout.text(), stderrTail: stderr.text() };
    },
  };
}

/**
 * Detects when all processes of a namespace have ended. Its first process, a child of the one that was spawned, ends
 * only when all others have, however they left the group or closed their pipes (pid_namespaces(7)).
 */
class NamespaceWatch {
  readonly #child: ChildProcess;
  readonly #first = new Map<number, string>();

  constructor(child: ChildProcess) {
    this.#child = child;
  }

  /** Records the first process while the spawned one runs. */
  look(): void {
    for (const pid of this.#child.pid === undefined ? [] : childrenOf(this.#child.pid)) {
      const identity = processIdentity(pid);
      if (identity !== null) this.#first.set(pid, identity);
    }
  }

  async emptied(): Promise<void> {
    for (const [pid, identity] of this.#first) while (processIdentity(pid) === identity) await pause(5);
  }
}

/**
 * Whether the program was started: only then bubblewrap reports its end, and bare-root.sh reports the start. `onReport`
 * is called for each report.
 */
function readStatus(child: ChildProcess, onReport: () => void): { started(): boolean } {
  let started = false;
  const lines = new LineSplitter((line) => {
    onReport();
    started ||= line === 'started' || line.includes('"exit-code"');
  });
  // Descriptor 3 is a pipe from the child: see Launch.
  const pipe = child.stdio[3] as Readable | null | undefined;
  pipe?.on('data', (chunk: Buffer) => lines.push(chunk));
  pipe?.on('end', () => lines.end());
  pipe?.on('error', () => {});
  return { started: () => started };
}

/** A program below bubblewrap that died of a signal is reported as exit code 128 + signal. */
function endOf(
  code: number | null,
  signal: NodeJS.Signals | null,
  reported: { started(): boolean } | null,
): { exitCode: number | null; signal: NodeJS.Signals | null } {
  if (reported === null || code === null || code <= 128) return { exitCode: code, signal };
  const found = Object.entries(constants.signals).find(([, number]) => number === code - 128)?.[0];
  // The keys of this table are the names of signals.
  return found === undefined ? { exitCode: code, signal } : { exitCode: null, signal: found as NodeJS.Signals };
}

/** Kills the process and every descendant that stayed in its group; does nothing when they have ended. */
function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // ESRCH: no process is left.
  }
}

/** Lower CPU priority than the API unless `niceness` is 0, and preferred by the out-of-memory killer. Best effort. */
function yieldToOthers(child: ChildProcess, niceness: number): void {
  if (child.pid === undefined) return;
  try {
    if (niceness > 0) setPriority(child.pid, niceness);
    writeFileSync(`/proc/${child.pid}/oom_score_adj`, '500');
  } catch {
    // Gone already, or not allowed to.
  }
}

/** `bench: utime=0.090s stime=0.079s rtime=0.126s`, printed by ffmpeg -benchmark at its end. */
function benchmarkCpuMs(line: string): number | null {
  const match = /bench: utime=([\d.]+)s stime=([\d.]+)s/.exec(line);
  return match === null ? null : Math.round((Number(match[1]) + Number(match[2])) * 1000);
}
