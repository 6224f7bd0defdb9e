import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { toneMapName, toneMapsIn, toneMapTable } from './inspect/tone-map.ts';
import { type PipedOptions, runPiped } from './piped-runs.ts';
import { RunError } from './run-error.ts';
import { DEFAULT_PATH, findExecutable } from './sandbox/executables.ts';
import type { RunLimits } from './sandbox/limits.ts';
import { openSandbox } from './sandbox/open-sandbox.ts';
import { adoptFolder, lendFolder, makeWorkDir } from './sandbox/outputs.ts';
import { isComplete, type Sandbox, type SandboxMethod, type SandboxStatus } from './sandbox/sandbox.ts';
import { type RunResult, type Supervised, type SuperviseOptions, supervise } from './sandbox/supervise.ts';
import { folderBytes } from './sandbox/watch.ts';

export { inputArg } from './sandbox/sandbox.ts';
export type { RunResult } from './sandbox/supervise.ts';

export type Tool = 'ffmpeg' | 'ffprobe';

export interface RunOptions {
  /**
   * Work folder, made by `prepareWorkDir`: the only place the run may write to, and its working directory, so give
   * outputs as paths relative to it. Afterwards its content belongs to the platform (folders 0700, files 0600). One run
   * at a time. Without it the run may not write.
   */
  readonly cwd?: string;
  readonly limits: RunLimits;
  /** Input files, seekable; `inputArg(n)` is the n-th in `args`. The sandboxed user needs no permissions on them. */
  readonly inputs?: readonly string[];
  readonly onStdoutLine?: (line: string) => void;
  readonly onStderrLine?: (line: string) => void;
  readonly signal?: AbortSignal;
  /**
   * Bytes of standard output that are kept and returned (default 1 MiB); more ends the run as `output-limit`. 0: keep
   * none, no limit.
   */
  readonly maxStdoutBytes?: number;
  /** Whether a request waits for it: then it has the CPU priority of the API, otherwise a lower one. Default false. */
  readonly interactive?: boolean;
  /** Whether it yields the CPU to other runs. Default false. */
  readonly background?: boolean;
}

export interface ProgramOptions extends RunOptions {
  /**
   * Additional files and folders of the host that the program reads, at their absolute paths. Shared libraries are
   * found automatically.
   */
  readonly readOnly?: readonly string[];
  /** Devices below /dev that it may use: only those that the operator has set. */
  readonly devices?: readonly string[];
  /** Only for the operator's downloaders: they have network access, and the programs of the host. Default false. */
  readonly network?: boolean;
}

/** A program between others: see `Runner.runPiped`. */
export interface PipedCommand {
  /** In errors. */
  readonly name: string;
  /** A tool, or another program: a path or a name on PATH. */
  readonly program: string;
  readonly args: readonly string[];
  readonly options: Omit<ProgramOptions, 'signal'>;
}

/** A sandboxed program with interactive standard input and output. */
export interface SandboxedChild {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /**
   * Settles when it and all its processes have ended: resolves after exit code 0, rejects with RunError. `stdout` of
   * the result is empty.
   */
  readonly ended: Promise<RunResult>;
  /** Kills it; `ended` rejects with `aborted`. */
  kill(): void;
}

export interface Runner {
  /** The isolation of all runs; `recheck` may change it. */
  readonly sandbox: SandboxStatus;
  /** False while the sandbox is incomplete and `require` is set. Then every run rejects with `sandbox`. */
  readonly isUsable: boolean;
  /** Probes the isolation again. Runs in progress are unaffected. */
  recheck(): Promise<void>;
  readonly ffmpegPath: string;
  readonly ffprobePath: string;
  /**
   * Runs a tool in the sandbox. Resolves when it exits with 0; rejects with `RunError`. Leaves no process behind either
   * way.
   */
  run(tool: Tool, args: readonly string[], options: RunOptions): Promise<RunResult>;
  /** Runs another program, a path or a name on PATH, in the same sandbox. As `run` otherwise. */
  runProgram(program: string, args: readonly string[], options: ProgramOptions): Promise<RunResult>;
  /**
   * Starts a program in the same sandbox and leaves its standard input and output to the caller. Rejects when it cannot
   * be started; `limits` hold for its whole life, `wallMs` may be Infinity.
   */
  startProgram(
    program: string,
    args: readonly string[],
    options: Omit<ProgramOptions, 'onStdoutLine' | 'maxStdoutBytes'>,
  ): Promise<SandboxedChild>;
  /**
   * Runs programs in sandboxes of their own, the standard output of each being the standard input of the next one.
   * Resolves with their results when all exit with 0. When one fails or the signal fires, all are ended, and it rejects
   * with the RunError of the first that failed, by its `name`; with `stalled` when none uses CPU time any more. Only of
   * the last one, standard output is read.
   */
  runPiped(commands: readonly PipedCommand[], options: PipedOptions): Promise<readonly RunResult[]>;
  /** Prepares `path` (and folders below it, given by relative names) as a folder that only a run may write to. */
  prepareWorkDir(path: string, subfolders?: readonly string[]): Promise<void>;
}

export interface RunnerOptions {
  /** Name on PATH or absolute path. */
  readonly ffmpegPath?: string;
  readonly ffprobePath?: string;
  /** Where executables are looked for; default the platform's usual folders. */
  readonly searchPath?: string;
  /** Allowed isolation methods; default all, the strongest that works. */
  readonly methods?: readonly SandboxMethod[];
  /** Whether to run nothing unless the sandbox is complete; default false. */
  readonly require?: boolean;
  /** Whether a missing ffmpeg or ffprobe is an error now, or only when it is run; default `now`. */
  readonly missingTools?: 'now' | 'when-run';
}

/**
 * Finds the tools, probes the isolation of this machine, and returns the only component that runs programs on user
 * files.
 * @throws RunError `missing-binary` when a tool is not installed.
 */
export async function createRunner(options: RunnerOptions = {}): Promise<Runner> {
  const { searchPath = DEFAULT_PATH, require = false, missingTools = 'now' } = options;
  const names = { ffmpeg: options.ffmpegPath ?? 'ffmpeg', ffprobe: options.ffprobePath ?? 'ffprobe' };
  const toolPath = (tool: Tool) => requireTool(tool, names[tool], searchPath);
  if (missingTools === 'now') for (const tool of ['ffmpeg', 'ffprobe'] as const) toolPath(tool);
  const ffmpeg = findExecutable(names.ffmpeg, searchPath);
  const trial =
    ffmpeg === null
      ? ([process.execPath, '--version'] as const)
      : ([ffmpeg, '-loglevel', 'error', '-version'] as const);
  const open = () =>
    openSandbox({ trial, searchPath, ...(options.methods === undefined ? {} : { methods: options.methods }) });
  let sandbox = await open();
  const usable = (program: string): Sandbox => {
    if (require && !isComplete(sandbox.status))
      throw new RunError('sandbox', { tool: program, stderrTail: sandbox.status.warnings.join('\n') });
    return sandbox;
  };
  return {
    get sandbox() {
      return sandbox.status;
    },
    get isUsable() {
      return !require || isComplete(sandbox.status);
    },
    async recheck() {
      sandbox = await open();
    },
    ffmpegPath: ffmpeg ?? names.ffmpeg,
    ffprobePath: findExecutable(names.ffprobe, searchPath) ?? names.ffprobe,
    run: async (tool, args, runOptions) =>
      collect(usable(tool), tool, toolPath(tool), [...commonArgs(tool), ...args], runOptions),
    runProgram: async (program, args, runOptions) =>
      collect(usable(program), program, requireTool(program, program, searchPath), args, runOptions),
    async startProgram(program, args, runOptions) {
      const path = requireTool(program, program, searchPath);
      const { child, ended, stop } = await start(usable(program), program, path, args, {
        ...runOptions,
        input: true,
        output: 'pipe',
      });
      ended.catch(() => {}); // reported to callers
      // Both are pipes, because of `input` and `output`.
      return { stdin: child.stdin!, stdout: child.stdout!, ended, kill: () => stop('aborted') };
    },
    runPiped: (commands, pipedOptions) =>
      runPiped(
        commands.map(({ name, program, args, options: runOptions }) => ({
          name,
          async start(streams, signal) {
            const isTool = program === 'ffmpeg' || program === 'ffprobe';
            const path = isTool ? toolPath(program) : requireTool(name, program, searchPath);
            const all = isTool ? [...commonArgs(program), ...args] : args;
            return start(usable(program), name, path, all, { ...runOptions, ...streams, signal });
          },
        })),
        pipedOptions,
      ),
    prepareWorkDir: (path, subfolders = []) => makeWorkDir(path, subfolders),
  };
}

function commonArgs(tool: Tool): string[] {
  const common = ['-hide_banner', '-loglevel', tool === 'ffmpeg' ? 'level+info' : 'level+error'];
  return tool === 'ffmpeg' ? [...common, '-nostdin', '-nostats', '-benchmark'] : common;
}

function requireTool(tool: string, nameOrPath: string, searchPath: string): string {
  const found = findExecutable(nameOrPath, searchPath);
  if (found === null)
    throw new RunError('missing-binary', { tool, stderrTail: `${nameOrPath} is not an executable file` });
  return found;
}

async function collect(
  sandbox: Sandbox,
  tool: string,
  path: string,
  args: readonly string[],
  options: ProgramOptions,
): Promise<RunResult> {
  const { ended } = await start(sandbox, tool, path, args, { ...options, input: false, output: 'collect' });
  return ended;
}

/** Grants the process access to the work folder and the inputs, starts it, and revokes the access when it has ended. */
async function start(
  sandbox: Sandbox,
  tool: string,
  program: string,
  args: readonly string[],
  options: ProgramOptions & Pick<SuperviseOptions, 'input' | 'output'>,
): Promise<Supervised> {
  if (options.signal?.aborted) throw new RunError('aborted', { tool });
  const { limits, inputs = [], readOnly = [], devices = [], network = false, cwd: workDir = null } = options;
  const removeTables = workDir === null ? async () => {} : await writeTables(workDir, args);
  const launch = await sandbox.prepare({ program, args, readOnly, inputs, devices, workDir, network, limits });
  try {
    const bytesBefore = workDir === null ? 0 : await folderBytes(workDir);
    if (workDir !== null && launch.uid !== null) await lendFolder(workDir, launch.uid);
    const supervised = supervise(launch, { ...options, tool, workDir, bytesBefore });
    return { ...supervised, ended: takeBack(supervised.ended) };
  } catch (error) {
    await launch.close();
    throw error;
  }

  async function takeBack(ended: Promise<RunResult>): Promise<RunResult> {
    try {
      const result = await ended.catch((error: unknown) => {
        throw launch.revoked() && error instanceof RunError ? new RunError('sandbox', error) : error;
      });
      const removed = workDir === null ? [] : await adoptFolder(workDir);
      await removeTables();
      if (removed.length > 0) throw new RunError('bad-output', { tool, stderrTail: removed.join('\n') });
      return result;
    } catch (error) {
      if (error instanceof RunError && error.reason === 'sandbox') sandbox.forget();
      if (workDir !== null) await adoptFolder(workDir);
      throw error;
    } finally {
      await launch.close();
    }
  }
}

/** Writes the tables into the work folder that filters name; the result removes them. */
async function writeTables(workDir: string, args: readonly string[]): Promise<() => Promise<void>> {
  const transfers = toneMapsIn(args);
  for (const transfer of transfers) await writeFile(join(workDir, toneMapName(transfer)), toneMapTable(transfer));
  return async () => {
    for (const transfer of transfers) await rm(join(workDir, toneMapName(transfer)), { force: true });
  };
}
