import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { openSync, readdirSync, readFileSync } from 'node:fs';

export type { ChildProcess } from 'node:child_process';

/** In the flags of /proc/self/fdinfo: the descriptor ends with execve(2). */
const CLOSE_ON_EXEC = 0o2_000_000;

export interface ProgramOptions extends SpawnOptions {
  /** What the program gets as descriptors 0, 1, 2 and so on. It gets no others. */
  readonly stdio: NonNullable<Exclude<SpawnOptions['stdio'], string>>;
}

export interface CollectedOutput {
  readonly stdout: string;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/**
 * The only way to start a program: it gets the descriptors in `stdio` and no other open file of this process. Node
 * opens files so that they end with execve(2), but marks what it inherited itself only up to number 15, and can close
 * nothing between fork(2) and execve(2): in the program, those are the null device instead.
 */
export function spawnProgram(file: string, args: readonly string[], options: ProgramOptions): ChildProcess {
  return spawn(file, args, { ...options, stdio: withoutInherited(options.stdio) });
}

/** Runs a program without input to its end; what it writes to standard error is dropped. */
export function runProgram(
  file: string,
  args: readonly string[],
  options: Omit<ProgramOptions, 'stdio'> = {},
): Promise<CollectedOutput> {
  return new Promise((resolve, reject) => {
    const child = spawnProgram(file, args, { ...options, stdio: ['ignore', 'pipe', 'ignore'] });
    const chunks: Buffer[] = [];
    child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ stdout: Buffer.concat(chunks).toString(), code, signal }));
  });
}

/** Found before the first program is started: nothing can be inherited later. */
let inherited: { readonly numbers: readonly number[]; readonly nullDevice: number } | undefined;

function withoutInherited(stdio: ProgramOptions['stdio']): ProgramOptions['stdio'] {
  inherited ??= findInherited();
  const { numbers, nullDevice } = inherited;
  const hidden = numbers.filter((number) => number >= stdio.length);
  if (hidden.length === 0) return stdio;
  // From number 3 on, `ignore` leaves a descriptor as it is.
  const all = [...stdio, ...Array<'ignore'>(Math.max(...hidden) + 1 - stdio.length).fill('ignore')];
  for (const number of hidden) all[number] = nullDevice;
  return all;
}

function findInherited(): NonNullable<typeof inherited> {
  const numbers = openDescriptors().filter((number) => number > 2 && !endsWithExec(number));
  return { numbers, nullDevice: numbers.length === 0 ? -1 : openSync('/dev/null', 'r') };
}

/** None where there is no /proc. */
function openDescriptors(): number[] {
  try {
    return readdirSync('/proc/self/fd').map(Number);
  } catch {
    return [];
  }
}

/** Also true for one that was closed meanwhile, as that of the listing is. */
function endsWithExec(descriptor: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8'))?.[1];
    return flags === undefined || (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) !== 0;
  } catch {
    return true;
  }
}
