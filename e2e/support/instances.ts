import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { until } from '../../server/src/testing/until.ts';

/** Single processes of the platform, as in a deployment over several machines. */
const ROOT = join(import.meta.dirname, '../..');
/** The search path, and where compiled code lies. */
const INHERITED = { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '' };
/** A free port for encoders, beside other platforms of this machine. */
const RTMP = { RTMP_PORT: '0' };

/** One process of the platform. */
export interface Instance {
  readonly child: ChildProcess;
  /** Its output so far, standard output and error. */
  output(): string;
  /** Sends the signal, SIGTERM by default; resolves with its status once it has ended. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts `main.ts` with the role; `env` is all it inherits beside the search path. */
export function startInstance(role: string, env: Readonly<Record<string, string>>): Instance {
  const child = spawn(process.execPath, [join(ROOT, 'server/src/main.ts'), '--role', role], {
    cwd: ROOT,
    env: { ...INHERITED, ...RTMP, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
  }
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return {
    child,
    output: () => text,
    async end(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      return ended;
    },
  };
}

/** Resolves when the instance has logged that it started. Throws with its output when it ends or takes too long. */
export async function untilStarted(instance: Instance): Promise<void> {
  await until(
    () => {
      if (instance.child.exitCode !== null)
        throw new Error(`The instance ended with ${instance.child.exitCode}:\n${instance.output()}`);
      return instance.output().includes('"msg":"started"');
    },
    () => `The instance did not start:\n${instance.output().slice(-4_000)}`,
  );
}

/** Runs an admin command with the same settings and returns its output. Throws when it fails. */
export function admin(env: Readonly<Record<string, string>>, ...args: string[]): Record<string, string> {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'server/src/admin.ts'), ...args], {
    cwd: ROOT,
    env: { ...INHERITED, ...env },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`admin ${args.join(' ')} failed:\n${stderr}`);
  return JSON.parse(stdout);
}

/** As `admin`, while this process goes on. */
export async function adminBeside(env: Readonly<Record<string, string>>, ...args: string[]): Promise<unknown> {
  const options = { cwd: ROOT, env: { ...INHERITED, ...env } };
  const { stdout } = await promisify(execFile)(process.execPath, [join(ROOT, 'server/src/admin.ts'), ...args], options);
  return JSON.parse(stdout);
}

/** Whether the process has a descendant of that name: `ffmpeg` runs below its sandbox. */
export function hasDescendant(ancestor: number, name: string): boolean {
  const processes = readdirSync('/proc').flatMap((entry) => {
    const [, command = '', parent] = /^\d+ \((.*)\) \S (\d+)/.exec(/^\d+$/.test(entry) ? readStat(entry) : '') ?? [];
    return parent === undefined ? [] : [{ pid: Number(entry), command, parent: Number(parent) }];
  });
  const isBelow = (pid: number): boolean => {
    const parent = processes.find((each) => each.pid === pid)?.parent ?? 0;
    return parent === ancestor || (parent > 1 && isBelow(parent));
  };
  return processes.some(({ pid, command }) => command === name && isBelow(pid));
}

function readStat(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return '';
  }
}
