import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  createProgramRunner,
  DEFAULT_PATH,
  findExecutable,
  type PipedCommand,
  type ProgramOptions,
  type ProgramRunner,
  type ProgramRunnerOptions,
  RunError,
  type RunOptions,
  type RunResult,
} from '@reelgraph/sandbox';
import { toneMapName, toneMapsIn, toneMapTable } from './inspect/tone-map.ts';

export type Tool = 'ffmpeg' | 'ffprobe';

/** The only component that runs programs on user files. */
export interface Runner extends ProgramRunner {
  readonly ffmpegPath: string;
  readonly ffprobePath: string;
  /**
   * Runs a tool in the sandbox, with the tables of tone maps that its filters name in the work folder. Resolves when it
   * exits with 0; rejects with `RunError`. Leaves no process behind either way.
   */
  run(tool: Tool, args: readonly string[], options: RunOptions): Promise<RunResult>;
}

export interface RunnerOptions extends Omit<ProgramRunnerOptions, 'trial'> {
  /** Name on PATH or absolute path. */
  readonly ffmpegPath?: string;
  readonly ffprobePath?: string;
  /** Whether a missing ffmpeg or ffprobe is an error now, or only when it is run; default `now`. */
  readonly missingTools?: 'now' | 'when-run';
}

/**
 * Finds the tools and probes the isolation of this machine. `program` of a piped command may be a tool, too.
 * @throws RunError `missing-binary` when a tool is not installed.
 */
export async function createRunner(options: RunnerOptions = {}): Promise<Runner> {
  const { searchPath = DEFAULT_PATH, missingTools = 'now', ffmpegPath, ffprobePath, ...others } = options;
  const names: Record<Tool, string> = { ffmpeg: ffmpegPath ?? 'ffmpeg', ffprobe: ffprobePath ?? 'ffprobe' };
  const found = {
    ffmpeg: findExecutable(names.ffmpeg, searchPath),
    ffprobe: findExecutable(names.ffprobe, searchPath),
  };
  if (missingTools === 'now')
    for (const tool of ['ffmpeg', 'ffprobe'] as const)
      if (found[tool] === null)
        throw new RunError('missing-binary', { tool, stderrTail: `${names[tool]} is not an executable file` });
  const programs = await createProgramRunner({
    ...others,
    searchPath,
    ...(found.ffmpeg === null ? {} : { trial: [found.ffmpeg, '-loglevel', 'error', '-version'] as const }),
  });
  const command = ({ program, args, ...more }: PipedCommand): PipedCommand =>
    isTool(program)
      ? { ...more, program: names[program], args: [...commonArgs(program), ...args] }
      : { ...more, program, args };
  return {
    get sandbox() {
      return programs.sandbox;
    },
    get isUsable() {
      return programs.isUsable;
    },
    ffmpegPath: found.ffmpeg ?? names.ffmpeg,
    ffprobePath: found.ffprobe ?? names.ffprobe,
    recheck: () => programs.recheck(),
    prepareWorkDir: (path, subfolders) => programs.prepareWorkDir(path, subfolders),
    runProgram: (program, args, runOptions) => programs.runProgram(program, args, runOptions),
    startProgram: (program, args, runOptions) => programs.startProgram(program, args, runOptions),
    run: (tool, args, runOptions) =>
      withTables([{ args, options: runOptions }], () =>
        programs.runProgram(names[tool], [...commonArgs(tool), ...args], { ...runOptions, name: tool }),
      ),
    runPiped: (commands, pipedOptions) =>
      withTables(commands, () => programs.runPiped(commands.map(command), pipedOptions)),
  };
}

function isTool(program: string): program is Tool {
  return program === 'ffmpeg' || program === 'ffprobe';
}

function commonArgs(tool: Tool): string[] {
  const common = ['-hide_banner', '-loglevel', tool === 'ffmpeg' ? 'level+info' : 'level+error'];
  return tool === 'ffmpeg' ? [...common, '-nostdin', '-nostats', '-benchmark'] : common;
}

/** Writes the tables that filters name into the work folders, and removes them after the run. */
async function withTables<Result>(
  commands: readonly { readonly args: readonly string[]; readonly options: Pick<ProgramOptions, 'cwd'> }[],
  run: () => Promise<Result>,
): Promise<Result> {
  const tables = commands.flatMap(({ args, options: { cwd } }) =>
    cwd === undefined ? [] : toneMapsIn(args).map((transfer) => ({ path: join(cwd, toneMapName(transfer)), transfer })),
  );
  for (const { path, transfer } of tables) await writeFile(path, toneMapTable(transfer));
  try {
    return await run();
  } finally {
    for (const { path } of tables) await rm(path, { force: true });
  }
}
