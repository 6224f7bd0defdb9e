import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';

/**
 * The user a sandboxed process becomes when the platform runs as root. Deliberately not 65534 (nobody), which other
 * services on the machine use: whoever shares a uid may signal and inspect each other's processes.
 */
export const SANDBOX_UID = 65_432;

/** Which of the kernel's fences are in use. `none`, `same` and `false` are degradations, explained in `warnings`. */
export interface Isolation {
  /** `namespace`: an empty network namespace, made directly; `user-namespace`: made by way of a user namespace. */
  readonly network: 'namespace' | 'user-namespace' | 'none';
  /** `dropped`: runs as SANDBOX_UID with no groups and no capabilities; `same`: as the platform's own user. */
  readonly user: 'dropped' | 'same';
  /** Whether CPU, memory and file size are bounded by resource limits. */
  readonly resourceLimits: boolean;
  /** Whether the kernel kills the tool when the platform's process dies, and forbids it to gain privileges. */
  readonly parentDeath: boolean;
  /** Sentences for the operator; empty when every fence stands. */
  readonly warnings: readonly string[];
}

/** Limits of one run. The runner enforces all of them; the first four also hold if the runner itself is killed. */
export interface RunLimits {
  /** CPU seconds over all threads. */
  readonly cpuSeconds: number;
  /** Writable private memory (heap, stacks), not address space, so that many encoder threads do not count for more than they use. */
  readonly memoryBytes: number;
  /** Everything the run may add to its work folder; also the largest single file. */
  readonly outputBytes: number;
  readonly wallMs: number;
}

/** Absolute path of an executable: as given, or found on PATH; null where there is none. */
export function findExecutable(nameOrPath: string, searchPath: string): string | null {
  const candidates =
    isAbsolute(nameOrPath) || nameOrPath.includes('/')
      ? [resolve(nameOrPath)]
      : searchPath.split(delimiter).flatMap((folder) => (folder === '' ? [] : [join(folder, nameOrPath)]));
  for (const candidate of candidates) {
    try {
      accessSync(candidate, constants.X_OK);
      return candidate;
    } catch {
      // Not here; look further.
    }
  }
  return null;
}

/**
 * The command line that puts `command` behind the fences of `isolation`. Every link execs the next, so the process that
 * was spawned is the tool itself. Order matters: dropping the user clears the parent-death signal, hence `setpriv` is last.
 */
export function fencedCommand(isolation: Omit<Isolation, 'warnings'>, limits: RunLimits, command: readonly string[]): string[] {
  const drop = ['--reuid', `${SANDBOX_UID}`, '--regid', `${SANDBOX_UID}`, '--clear-groups'].concat([
    '--inh-caps=-all',
    '--ambient-caps=-all',
    '--bounding-set=-all',
  ]);
  const dropsFirst = isolation.user === 'dropped' && isolation.network === 'user-namespace';
  const argv: string[] = [];
  if (dropsFirst) argv.push('setpriv', ...drop, '--');
  if (isolation.network === 'namespace') argv.push('unshare', '--net', '--ipc', '--');
  if (isolation.network === 'user-namespace') argv.push('unshare', '--user', '--map-current-user', '--net', '--ipc', '--');
  if (isolation.resourceLimits) {
    const cpu = Math.max(1, Math.ceil(limits.cpuSeconds));
    argv.push('prlimit', `--cpu=${cpu}:${cpu + 2}`, `--data=${Math.ceil(limits.memoryBytes)}`, `--fsize=${Math.ceil(limits.outputBytes)}`);
    argv.push('--core=0', '--nofile=1024');
    // Counted per user over the whole machine: meaningful only for a user that runs nothing else.
    if (isolation.user === 'dropped') argv.push('--nproc=8192');
    argv.push('--');
  }
  if (isolation.parentDeath) {
    argv.push('setpriv', ...(isolation.user === 'dropped' && !dropsFirst ? drop : []), '--no-new-privs', '--pdeathsig', 'KILL', '--');
  }
  return [...argv, ...command];
}

const PROBE_LIMITS: RunLimits = { cpuSeconds: 10, memoryBytes: 2 * 1024 ** 3, outputBytes: 1024 ** 2, wallMs: 10_000 };

async function succeeds(argv: readonly string[]): Promise<boolean> {
  const [command, ...args] = argv;
  if (command === undefined) return false;
  return new Promise((done) => {
    const child = spawn(command, args, { stdio: 'ignore', cwd: '/', timeout: PROBE_LIMITS.wallMs, killSignal: 'SIGKILL' });
    child.on('error', () => done(false));
    child.on('close', (code) => done(code === 0));
  });
}

/**
 * Finds the strongest fences this machine allows, by trying them on `command` (a harmless invocation of the real tool).
 * Never throws: what is not possible is left out and explained in `warnings`.
 */
export async function probeIsolation(command: readonly string[], asRoot = process.getuid?.() === 0): Promise<Isolation> {
  if (process.platform !== 'linux') {
    const warnings = [
      'ffmpeg runs without isolation: this operating system has no Linux namespaces. Do not accept uploads from strangers here.',
    ];
    return { network: 'none', user: 'same', resourceLimits: false, parentDeath: false, warnings };
  }
  const users = asRoot ? (['dropped', 'same'] as const) : (['same'] as const);
  const networks = ['namespace', 'user-namespace', 'none'] as const;
  for (const [resourceLimits, parentDeath] of [
    [true, true],
    [true, false],
    [false, false],
  ] as const) {
    for (const user of users) {
      if (user === 'dropped' && !parentDeath) continue; // both are done by setpriv
      for (const network of networks) {
        if (network === 'namespace' && !asRoot) continue;
        const fences = { network, user, resourceLimits, parentDeath };
        if (await succeeds(fencedCommand(fences, PROBE_LIMITS, command))) return { ...fences, warnings: explain(fences, asRoot) };
      }
    }
  }
  const fences = { network: 'none', user: 'same', resourceLimits: false, parentDeath: false } as const;
  return { ...fences, warnings: explain(fences, asRoot) };
}

function explain(fences: Omit<Isolation, 'warnings'>, asRoot: boolean): string[] {
  const warnings: string[] = [];
  if (fences.network === 'none')
    warnings.push('ffmpeg shares the network of the platform: neither network nor user namespaces are allowed here.');
  if (fences.user === 'same' && asRoot)
    warnings.push('ffmpeg runs as root: setpriv (util-linux) is missing or not allowed to change the user.');
  if (!fences.resourceLimits) warnings.push('ffmpeg has no memory limit: prlimit (util-linux) is missing.');
  if (!fences.parentDeath) warnings.push('ffmpeg may outlive a killed worker: setpriv (util-linux) is missing.');
  return warnings;
}
