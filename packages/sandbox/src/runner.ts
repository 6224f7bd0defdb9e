import type { Readable, Writable } from 'node:stream';
import { DEFAULT_PATH, findExecutable } from './core/executables.ts';
import type { RunLimits } from './core/limits.ts';
import { RunError } from './core/run-error.ts';
import { isComplete, type Sandbox, type SandboxMethod, type SandboxStatus } from './core/sandbox.ts';
import { adoptFolder, lendFolder, makeWorkDir } from './files/outputs.ts';
import { openSandbox } from './methods/open-sandbox.ts';
import { type PipedOptions, runPiped } from './run/piped-runs.ts';
import { type RunResult, type Supervised, type SuperviseOptions, supervise } from './run/supervise.ts';
import { folderBytes } from './run/watch.ts';

export interface RunOptions {
  /**
   * Work folder, made by `prepareWorkDir`: the only place the run may write to, and its working directory, so give
   * outputs as paths relative to it. Afterwards its content belongs to the caller (folders 0700, files 0600). One run
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
  /** Whether somebody waits for it: then it has the caller's CPU priority, otherwise a lower one. Default false. */
  readonly interactive?: boolean;
  /** Whether it yields the CPU to other runs. Default false. */
  readonly background?: boolean;
}

export interface ProgramOptions extends RunOptions {
  /** What errors call it; default the program as it is given. */
  readonly name?: string;
  /**
   * Additional files and folders of the host that the program reads, at their absolute paths. Shared libraries are
   * found automatically.
   */
  readonly readOnly?: readonly string[];
  /** Devices below /dev that it may use beside those that lead nowhere. Default none. */
  readonly devices?: readonly string[];
  /** Whether it has network access, and the programs of the host: for downloaders, and what receives. Default false. */
  readonly network?: boolean;
}

/** A program between others: see `ProgramRunner.runPiped`. */
export interface PipedCommand {
  /** In errors. */
  readonly name: string;
  /** A path or a name on PATH. */
  readonly program: string;
  readonly args: readonly string[];
  readonly options: Omit<ProgramOptions, 'signal' | 'name'>;
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

export interface ProgramRunner {
  /** The isolation of all runs; `recheck` may change it. */
  readonly sandbox: SandboxStatus;
  /** False while the sandbox is incomplete and `require` is set. Then every run rejects with `sandbox`. */
  readonly isUsable: boolean;
  /** Probes the isolation again. Runs in progress are unaffected. */
  recheck(): Promise<void>;
  /**
   * Runs a program, a path or a name on PATH, in the sandbox. Resolves when it exits with 0; rejects with `RunError`.
   * Leaves no process behind either way.
   */
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

export interface ProgramRunnerOptions {
  /** Where programs are looked for; default Debian's usual folders. */
  readonly searchPath?: string;
  /** Allowed isolation methods; default all, the strongest that works. */
  readonly methods?: readonly SandboxMethod[];
  /** Whether to run nothing unless the sandbox is complete; default false. */
  readonly require?: boolean;
  /**
   * A harmless invocation of a program that will be run, by which the isolation is probed: its absolute path, and
   * arguments. Default `node --version`.
   */
  readonly trial?: readonly [string, ...string[]];
}

/** Probes the isolation of this machine, and returns what runs programs in it. */
export async function createProgramRunner(options: ProgramRunnerOptions = {}): Promise<ProgramRunner> {
  const { searchPath = DEFAULT_PATH, require = false, trial = [process.execPath, '--version'], methods } = options;
  const open = () => openSandbox({ trial, searchPath, ...(methods === undefined ? {} : { methods }) });
  let sandbox = await open();
  const begin = async (
    program: string,
    args: readonly string[],
    programOptions: ProgramOptions & Pick<SuperviseOptions, 'input' | 'output'>,
  ): Promise<Supervised> => {
    const { name = program } = programOptions;
    if (require && !isComplete(sandbox.status))
      throw new RunError('sandbox', { tool: name, stderrTail: problemsOf(sandbox.status) });
    const path = findExecutable(program, searchPath);
    if (path === null)
      throw new RunError('missing-binary', { tool: name, stderrTail: `${program} is not an executable file` });
    return start(sandbox, name, path, args, programOptions);
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
    async runProgram(program, args, runOptions) {
      const { ended } = await begin(program, args, { ...runOptions, input: false, output: 'collect' });
      return ended;
    },
    async startProgram(program, args, runOptions) {
      const { child, ended, stop } = await begin(program, args, { ...runOptions, input: true, output: 'pipe' });
      ended.catch(() => {}); // reported to callers
      // Both are pipes, because of `input` and `output`.
      return { stdin: child.stdin!, stdout: child.stdout!, ended, kill: () => stop('aborted') };
    },
    runPiped: (commands, pipedOptions) =>
      runPiped(
        commands.map(({ name, program, args, options: runOptions }) => ({
          name,
          start: (streams, signal) => begin(program, args, { ...runOptions, ...streams, name, signal }),
        })),
        pipedOptions,
      ),
    prepareWorkDir: (path, subfolders = []) => makeWorkDir(path, subfolders),
  };
}

function problemsOf({ warnings }: SandboxStatus): string {
  return warnings.map(({ problem, detail }) => (detail === '' ? problem : `${problem}: ${detail}`)).join('\n');
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
