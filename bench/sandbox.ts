import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createProgramRunner, DEFAULT_PATH, findExecutable, SANDBOX_METHODS } from '@reelgraph/sandbox';
import { spawnProgram } from '@reelgraph/sandbox/spawn';
import { table } from './results.ts';

const LIMITS = { cpuSeconds: 10, memoryBytes: 2 * 1024 ** 3, outputBytes: 0, wallMs: 20_000 };
/** Programs with few and with many shared libraries. */
const PROGRAMS: readonly [program: string, ...args: string[]][] = [
  ['true'],
  ['ffmpeg', '-loglevel', 'error', '-version'],
];
/** Of the kernel's clock in /proc (proc_pid_stat(5)). */
const TICK_MS = 10;

interface Cost {
  readonly wallMs: number;
  readonly cpuMs: number;
}

/**
 * What it costs to run a program in each method of the sandbox that works here, beside a start without any. `--runs` is
 * how often each is started.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { runs: { type: 'string', default: '60' } } });
  const runs = Number(values.runs);
  const rows: string[][] = [];
  for (const [program, ...programArgs] of PROGRAMS) {
    const path = findExecutable(program, DEFAULT_PATH);
    if (path === null) continue;
    const bare = await costOf(runs, () => bareRun(path, programArgs));
    rows.push([program, 'bare', ...figures(bare, bare)]);
    for (const method of SANDBOX_METHODS) {
      const runner = await createProgramRunner({ methods: [method] });
      if (runner.sandbox.method !== method) continue;
      const cost = await costOf(runs, () => runner.runProgram(path, programArgs, { limits: LIMITS }));
      rows.push([program, method, ...figures(cost, bare)]);
    }
  }
  console.log(table([['program', 'started', 'ms', 'CPU ms', 'ms to bare', 'CPU ms to bare'], ...rows]));
}

async function bareRun(path: string, args: readonly string[]): Promise<void> {
  const child = spawnProgram(path, args, { stdio: ['ignore', 'ignore', 'ignore'] });
  await once(child, 'exit');
}

/** Of one run: the median of the times, and the mean of the CPU time of this process and of all that it started. */
async function costOf(runs: number, once: () => Promise<unknown>): Promise<Cost> {
  await once();
  const times: number[] = [];
  const before = cpuMs();
  for (let index = 0; index < runs; index += 1) {
    const startedAt = performance.now();
    await once();
    times.push(performance.now() - startedAt);
  }
  const median = times.toSorted((a, b) => a - b)[Math.floor(runs / 2)] ?? Number.NaN;
  return { wallMs: median, cpuMs: (cpuMs() - before) / runs };
}

/** User and system time, and that of the processes that ended: fields 14 to 17 of proc_pid_stat(5). */
function cpuMs(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? [];
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * TICK_MS;
}

function figures(cost: Cost, bare: Cost): string[] {
  const ratio = (a: number, b: number) => (a / b).toFixed(1);
  return [
    cost.wallMs.toFixed(1),
    cost.cpuMs.toFixed(1),
    ratio(cost.wallMs, bare.wallMs),
    ratio(cost.cpuMs, bare.cpuMs),
  ];
}
