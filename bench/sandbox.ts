import { once } from 'node:events';
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
/**
 * How long a program takes in each method of the sandbox that works here, beside a start without any: medians. `--runs`
 * is how often each is started. CPU time is not compared: the kernel does not report that of programs in bubblewrap to
 * the process that started it.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { runs: { type: 'string', default: '60' } } });
  const runs = Number(values.runs);
  const rows: string[][] = [];
  for (const [program, ...programArgs] of PROGRAMS) {
    const path = findExecutable(program, DEFAULT_PATH);
    if (path === null) continue;
    const bareMs = await medianMs(runs, () => bareRun(path, programArgs));
    rows.push([program, 'bare', bareMs.toFixed(1), '1.0']);
    for (const method of SANDBOX_METHODS) {
      const runner = await createProgramRunner({ methods: [method] });
      if (runner.sandbox.method !== method) continue;
      const ms = await medianMs(runs, () => runner.runProgram(path, programArgs, { limits: LIMITS }));
      rows.push([program, method, ms.toFixed(1), (ms / bareMs).toFixed(1)]);
    }
  }
  console.log(table([['program', 'started', 'ms', 'to bare'], ...rows]));
}

async function bareRun(path: string, args: readonly string[]): Promise<void> {
  const child = spawnProgram(path, args, { stdio: ['ignore', 'ignore', 'ignore'] });
  await once(child, 'exit');
}

async function medianMs(runs: number, start: () => Promise<unknown>): Promise<number> {
  await start();
  const times: number[] = [];
  for (let index = 0; index < runs; index += 1) {
    const startedAt = performance.now();
    await start();
    times.push(performance.now() - startedAt);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(runs / 2)] ?? Number.NaN;
}
