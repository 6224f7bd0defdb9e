import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { PYTHON } from '../../../scripts/prerequisites.mjs';

export const PACKAGE = join(import.meta.dirname, '..');

/** The result of a test in Python. */
interface PythonResult {
  readonly name: string;
  /** Why it failed; null where it passed. */
  readonly failure: string | null;
}

/** Runs Debian's Python, with compiled modules outside of the sources. */
export function startPython(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  python: string = PYTHON,
): ChildProcessByStdio<null, Readable, Readable> {
  return spawn(python, [...args], {
    cwd: PACKAGE,
    env: {
      ...process.env,
      PYTHONPYCACHEPREFIX: join(PACKAGE, '../../node_modules/.cache/reelgraph/python'),
      PYTHONPATH: join(PACKAGE, 'src'),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Its output. Throws with all of it when it fails. */
export async function runPython(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  python: string = PYTHON,
): Promise<string> {
  const child = startPython(args, env, python);
  const ended = once(child, 'close');
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await ended;
  if (code !== 0) throw new Error(`python ${args.join(' ')} ended with ${code}:\n${output}${errors}`);
  return output;
}

/** The results of the tests in some modules of this folder, as they end. */
export async function* pythonTests(
  modules: readonly string[],
  env: Readonly<Record<string, string>>,
): AsyncGenerator<PythonResult> {
  const child = startPython([join(import.meta.dirname, 'run.py'), ...modules], env);
  const errors = text(child.stderr);
  const ended = once(child, 'close');
  // Written by run.py.
  for await (const line of createInterface({ input: child.stdout })) yield JSON.parse(line) as PythonResult;
  const [code] = await ended;
  if (code !== 0) throw new Error(`python ended with ${code}:\n${await errors}`);
}
