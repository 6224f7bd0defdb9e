import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { lchown, lstat, mkdir } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { fencedCommand, findExecutable, type Isolation, probeIsolation, type RunLimits, SANDBOX_UID } from './isolation.ts';
import { classifyExit, RunError, type RunErrorReason } from './run-error.ts';
import { openInputs } from './run-inputs.ts';
import { childCpuMs, folderBytes, LineSplitter, TextTail } from './run-watch.ts';

export type Tool = 'ffmpeg' | 'ffprobe';

export interface RunOptions {
  /** Work folder, made by `prepareWorkDir`; give outputs as paths relative to it. Without one the run may write nothing. */
  readonly cwd?: string;
  readonly limits: RunLimits;
  /** Files to read, at most 8; name the n-th one in `args` as `inputArg(n)`. They need not be reachable by the sandboxed user. */
  readonly inputs?: readonly string[];
  readonly onStdoutLine?: (line: string) => void;
  readonly onStderrLine?: (line: string) => void;
  readonly signal?: AbortSignal;
  /** Bytes of standard output that are kept and returned (default 1 MiB); more ends the run as `output-limit`. 0: keep none, no limit. */
  readonly maxStdoutBytes?: number;
}

export interface RunResult {
  readonly stdout: string;
  /** The last 16 KiB of standard error. */
  readonly stderrTail: string;
  /** CPU time over all threads, user and system, in milliseconds. */
  readonly cpuMs: number;
  readonly wallMs: number;
}

export interface Runner {
  readonly isolation: Isolation;
  readonly ffmpegPath: string;
  readonly ffprobePath: string;
  /** Runs a tool behind the fences. Resolves when it exits with 0; rejects with `RunError`. Leaves no process behind either way. */
  run(tool: Tool, args: readonly string[], options: RunOptions): Promise<RunResult>;
  /**
   * Runs another program behind the same fences but one: it has the network, for it fetches. `program` is a path or a name on PATH. As `run`
   * otherwise; without inputs.
   */
  runProgram(program: string, args: readonly string[], options: Omit<RunOptions, 'inputs'>): Promise<RunResult>;
  /** Makes `path` (and folders below it, given by relative names) a folder the sandboxed process may write, and nobody else may enter. */
  prepareWorkDir(path: string, subfolders?: readonly string[]): Promise<void>;
}

export interface RunnerOptions {
  /** Name on PATH or absolute path. */
  readonly ffmpegPath?: string;
  readonly ffprobePath?: string;
  /** Where executables are looked for; default the platform's usual folders. */
  readonly searchPath?: string;
}

const DEFAULT_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const FIRST_INPUT_FD = 3;
/** One tool may not take the machine's whole attention from the API beside it. */
const NICENESS = 10;

/** How the n-th of `RunOptions.inputs` is named on the command line: an inherited descriptor, reopened, hence seekable. */
export function inputArg(index: number): string {
  return `/proc/self/fd/${FIRST_INPUT_FD + index}`;
}

/**
 * Finds the tools, tries which fences this machine allows, and returns the only thing in the platform that starts
 * ffmpeg or ffprobe.
 * @throws RunError `missing-binary` when a tool is not installed.
 */
export async function createRunner(options: RunnerOptions = {}): Promise<Runner> {
  const searchPath = options.searchPath ?? DEFAULT_PATH;
  const paths = {
    ffmpeg: requireTool('ffmpeg', options.ffmpegPath ?? 'ffmpeg', searchPath),
    ffprobe: requireTool('ffprobe', options.ffprobePath ?? 'ffprobe', searchPath),
  };
  const isolation = await probeIsolation([paths.ffmpeg, '-hide_banner', '-loglevel', 'error', '-version']);
  return {
    isolation,
    ffmpegPath: paths.ffmpeg,
    ffprobePath: paths.ffprobe,
    run: (tool, args, runOptions) => run(isolation, paths[tool], tool, args, runOptions),
    runProgram: async (program, args, runOptions) => runProgram(isolation, requireTool(program, program, searchPath), args, runOptions),
    prepareWorkDir: (path, subfolders = []) => prepareWorkDir(isolation, path, subfolders),
  };
}

function requireTool(tool: string, nameOrPath: string, searchPath: string): string {
  const found = findExecutable(nameOrPath, searchPath);
  if (found === null) throw new RunError('missing-binary', { tool, stderrTail: `${nameOrPath} is not an executable file` });
  return found;
}

async function prepareWorkDir(isolation: Isolation, path: string, subfolders: readonly string[]): Promise<void> {
  for (const folder of [path, ...subfolders.map((name) => join(path, name))]) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // A folder left over from an earlier run may hold anything, a link in place of a folder included.
    if (!(await lstat(folder)).isDirectory()) throw new Error(`Not a folder: ${folder}`);
    if (isolation.user === 'dropped') await lchown(folder, SANDBOX_UID, SANDBOX_UID);
  }
}

async function run(isolation: Isolation, toolPath: string, tool: Tool, args: readonly string[], options: RunOptions): Promise<RunResult> {
  if (options.signal?.aborted) throw new RunError('aborted', { tool });
  const inputs = await openInputs(isolation, options.inputs ?? [], options.cwd);
  try {
    const common = ['-hide_banner', '-loglevel', tool === 'ffmpeg' ? 'level+info' : 'level+error'];
    const forFfmpeg = tool === 'ffmpeg' ? ['-nostdin', '-nostats', '-benchmark'] : [];
    const argv = fencedCommand(isolation, options.limits, [toolPath, ...common, ...forFfmpeg, ...args]);
    const bytesBefore = options.cwd === undefined ? 0 : await folderBytes(options.cwd);
    return await supervise(tool, argv, inputs.descriptors, bytesBefore, options);
  } finally {
    await inputs.close();
  }
}

async function runProgram(
  isolation: Isolation,
  program: string,
  args: readonly string[],
  options: Omit<RunOptions, 'inputs'>,
): Promise<RunResult> {
  if (options.signal?.aborted) throw new RunError('aborted', { tool: program });
  const argv = fencedCommand({ ...isolation, network: 'none' }, options.limits, [program, ...args]);
  const bytesBefore = options.cwd === undefined ? 0 : await folderBytes(options.cwd);
  return supervise(program, argv, [], bytesBefore, options);
}

/** Starts the process in a group of its own and stays with it until it and everything in its group is gone. */
function supervise(
  tool: string,
  argv: readonly string[],
  inputs: readonly number[],
  bytesBefore: number,
  options: RunOptions,
): Promise<RunResult> {
  const { limits, cwd } = options;
  const wroteTooMuch = async () => cwd !== undefined && (await folderBytes(cwd)) - bytesBefore > limits.outputBytes;
  const startedAt = performance.now();
  const [command = '', ...args] = argv;
  const stdout = new TextTail(Number.MAX_SAFE_INTEGER);
  const stderr = new TextTail(16 * 1024);
  const keep = options.maxStdoutBytes ?? 1024 * 1024;
  let stdoutBytes = 0;
  let cpuMs = 0;
  let stopped: RunErrorReason | null = null;

  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: options.cwd ?? '/',
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', ...inputs],
      env: { PATH: DEFAULT_PATH, LANG: 'C', HOME: '/nonexistent', AV_LOG_FORCE_NOCOLOR: '1' },
    });
    const stop = (reason: RunErrorReason) => {
      stopped ??= reason;
      killGroup(child);
    };
    const onAbort = () => stop('aborted');
    const wallTimer = setTimeout(() => stop('timeout'), limits.wallMs);
    const endWatch = every(async () => {
      cpuMs = childCpuMs(child.pid ?? 0) ?? cpuMs;
      if (await wroteTooMuch()) stop('output-limit');
    });
    options.signal?.addEventListener('abort', onAbort, { once: true });
    if (options.signal?.aborted) onAbort(); // while the inputs were being opened
    yieldToOthers(child);

    // The pipes exist: stdio asks for them. The types cannot know, for stdio is a computed array.
    const stdoutLines = new LineSplitter(options.onStdoutLine);
    child.stdout!.on('data', (chunk: Buffer) => {
      stdoutBytes += chunk.length;
      stdoutLines.push(chunk);
      if (keep > 0) stdout.push(chunk);
      if (keep > 0 && stdoutBytes > keep) stop('output-limit');
    });
    const stderrLines = new LineSplitter((line) => {
      cpuMs = benchmarkCpuMs(line) ?? cpuMs;
      options.onStderrLine?.(line);
    });
    child.stderr!.on('data', (chunk: Buffer) => {
      stderr.push(chunk);
      stderrLines.push(chunk);
    });

    const finish = () => {
      clearTimeout(wallTimer);
      endWatch();
      options.signal?.removeEventListener('abort', onAbort);
    };
    child.on('error', (error: NodeJS.ErrnoException) => {
      finish();
      reject(
        new RunError(error.code === 'EAGAIN' || error.code === 'ENOMEM' ? 'memory' : 'missing-binary', { tool, stderrTail: error.message }),
      );
    });
    // Whatever it started goes with it; the pipes, and with them 'close', wait for all who hold them.
    child.on('exit', () => killGroup(child));
    child.on('close', async (exitCode, signal) => {
      finish();
      stdoutLines.end();
      stderrLines.end();
      const stderrTail = stderr.text();
      const ended = exitCode === 0 ? null : classifyExit(exitCode, signal, stderrTail);
      // A tool that did not heed the soft CPU limit dies of the hard one, by a plain SIGKILL.
      const cpuSpent = ended === 'signal' && cpuMs >= 1000 * limits.cpuSeconds;
      const reason = stopped ?? (cpuSpent ? 'cpu-limit' : ended) ?? ((await wroteTooMuch()) ? 'output-limit' : null);
      if (reason === null) resolve({ stdout: stdout.text(), stderrTail, cpuMs, wallMs: performance.now() - startedAt });
      else reject(new RunError(reason, { tool, exitCode: exitCode ?? undefined, signal: signal ?? undefined, stderrTail }));
    });
  });
}

/** Kills the process and every descendant that stayed in its group; quiet when they are gone already. */
function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // ESRCH: nobody left.
  }
}

/** Below the API in the queue for the CPU, before it in the queue of the out-of-memory killer. Best effort: neither is a fence. */
function yieldToOthers(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    setPriority(child.pid, NICENESS);
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

/**
 * Calls `round` about four times a second, less often when it takes long (a folder of many thousand segments does), so
 * that watching stays a small share of the time. Returns the function that ends it.
 */
function every(round: () => Promise<void>): () => void {
  let timer: NodeJS.Timeout | undefined;
  let ended = false;
  const next = async () => {
    const startedAt = performance.now();
    await round();
    if (!ended) timer = setTimeout(() => void next(), Math.max(250, 20 * (performance.now() - startedAt)));
  };
  timer = setTimeout(() => void next(), 50);
  return () => {
    ended = true;
    clearTimeout(timer);
  };
}
