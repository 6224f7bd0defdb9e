import { closeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { RunLimits } from '../core/limits.ts';
import { RunError } from '../core/run-error.ts';
import {
  SANDBOX_METHODS,
  type Sandbox,
  type SandboxedCommand,
  type SandboxMethod,
  type SandboxProblem,
  type SandboxStatus,
  type SandboxWarning,
} from '../core/sandbox.ts';
import { type OpenInputs, openInputs } from '../files/inputs.ts';
import { supervise } from '../run/supervise.ts';
import { type BubblewrapTools, bubblewrapCommand, findBubblewrap } from './bubblewrap.ts';
import { HostFilesCache } from './host-files.ts';
import { type PartialIsolation, partialChoices, partialCommand } from './partial.ts';
import { type FilterName, openFilters, type SeccompFilters } from './seccomp/seccomp-files.ts';
import { findUnshare, type UnshareTools, unshareCommand } from './unshare.ts';
import { takeUser } from './users.ts';

const TRIAL_LIMITS: RunLimits = { cpuSeconds: 10, memoryBytes: 2 * 1024 ** 3, outputBytes: 1024 ** 2, wallMs: 10_000 };

const BUSY_PAUSE_MS = 500;

/** Descriptors of bubblewrap: see Launch. */
const STATUS_FD = 3;
const SECCOMP_FD = 4;

export interface SandboxOptions {
  /** A harmless invocation of a program that will be run: the absolute path and its arguments. */
  readonly trial: readonly [string, ...string[]];
  readonly searchPath: string;
  /** Tried in this order; default all. `partial` is the fallback. */
  readonly methods?: readonly SandboxMethod[];
}

/**
 * Finds the strongest isolation of this machine by probing. Never throws: missing features are explained in
 * `status.warnings`.
 */
export async function openSandbox({
  trial: [program, ...args],
  searchPath,
  methods = SANDBOX_METHODS,
}: SandboxOptions): Promise<Sandbox> {
  const asRoot = process.getuid?.() === 0;
  const isLinux = process.platform === 'linux';
  const command: SandboxedCommand = {
    program,
    args,
    readOnly: [],
    inputs: [],
    devices: [],
    workDir: null,
    network: false,
    limits: TRIAL_LIMITS,
  };
  const errors: SandboxWarning[] = [];
  const bubblewrap = isLinux && methods.includes('bubblewrap') ? findBubblewrap(searchPath, asRoot) : null;
  if (bubblewrap === null) errors.push(warning('NO_BUBBLEWRAP'));
  const filters = [openFilters(), null];
  for (const sandbox of bubblewrap === null ? [] : filters.map((one) => bubblewrapSandbox(bubblewrap, one))) {
    const problem = await tryOut(sandbox, command);
    if (problem === null) return sandbox;
    if (sandbox.status.protections.seccomp) errors.push(warning('BUBBLEWRAP_FAILS', problem));
  }
  const unshare = isLinux && methods.includes('unshare') ? findUnshare(searchPath, asRoot) : null;
  if (unshare !== null) {
    const sandbox = unshareSandbox(unshare, errors);
    if ((await tryOut(sandbox, command)) === null) return sandbox;
  }
  for (const isolation of isLinux ? partialChoices(asRoot) : []) {
    const sandbox = partialSandbox(isolation, asRoot, errors);
    if ((await tryOut(sandbox, command)) === null) return sandbox;
  }
  return partialSandbox({ network: 'none', user: 'same', resourceLimits: false, parentDeath: false }, asRoot, errors);
}

/** `filters` null: bubblewrap without a filter of system calls. */
function bubblewrapSandbox(tools: BubblewrapTools, filters: SeccompFilters | null): Sandbox {
  const ownUser = tools.setpriv !== null;
  const files = new HostFilesCache([tools.setpriv, tools.prlimit, tools.env].filter((launcher) => launcher !== null));
  const limits = ownUser || tools.prlimit !== null;
  const protections = { files: true, network: true, processes: true, user: true, seccomp: filters !== null, limits };
  const warnings: SandboxWarning[] = filters === null ? [warning('NO_SECCOMP')] : [];
  if (!limits) warnings.push(warning('THREADS'));
  return {
    status: { method: 'bubblewrap', protections, warnings },
    forget: () => files.forget(),
    async prepare(command) {
      const { uid, inputs } = await openRun(command, ownUser);
      const filter = filters === null ? null : filters.open(filterOf(command));
      const close = async () => {
        if (filter !== null) closeSync(filter);
        await inputs.close();
      };
      try {
        const descriptors = { status: STATUS_FD, seccomp: filter === null ? null : SECCOMP_FD };
        const argv = bubblewrapCommand(
          tools,
          { ...command, uid, inputs: inputs.paths },
          await files.get(command),
          descriptors,
        );
        return {
          argv,
          uid,
          cwd: '/',
          stdio: filter === null ? ['pipe'] : ['pipe', filter],
          revoked: inputs.revoked,
          close,
        };
      } catch (error) {
        await close();
        throw error;
      }
    },
  };
}

function filterOf({ network, devices }: SandboxedCommand): FilterName {
  if (network) return 'fetch';
  return devices.length > 0 ? 'devices' : 'media';
}

function unshareSandbox(tools: UnshareTools, errors: readonly SandboxWarning[]): Sandbox {
  const { asRoot: ownUser, setpriv, prlimit, umount, sh, unshare } = tools;
  const files = new HostFilesCache([setpriv, umount, sh, unshare, ...(prlimit === null ? [] : [prlimit])], 0);
  const limits = ownUser || prlimit !== null;
  const protections = { files: true, network: true, processes: true, user: true, seccomp: false, limits };
  const warnings = [...errors, warning('SYSTEM_CALLS')];
  if (!limits) warnings.push(warning('THREADS'));
  return {
    status: { method: 'unshare', protections, warnings },
    forget: () => files.forget(),
    async prepare(command) {
      const { uid, inputs } = await openRun(command, ownUser);
      try {
        const argv = unshareCommand(tools, { ...command, uid, inputs: inputs.paths }, await files.get(command));
        return { argv, uid, cwd: '/', stdio: ['pipe'], revoked: inputs.revoked, close: inputs.close };
      } catch (error) {
        await inputs.close();
        throw error;
      }
    },
  };
}

function partialSandbox(isolation: PartialIsolation, asRoot: boolean, errors: readonly SandboxWarning[]): Sandbox {
  const ownUser = isolation.user === 'dropped';
  return {
    status: partialStatus(isolation, asRoot, errors),
    forget: () => {},
    async prepare(command) {
      const { uid, inputs } = await openRun(command, ownUser);
      const argv = partialCommand(isolation, { ...command, uid });
      return {
        argv,
        uid,
        cwd: command.workDir ?? '/',
        stdio: inputs.descriptors,
        revoked: inputs.revoked,
        close: inputs.close,
      };
    },
  };
}

/** Acquires a user for the run, if other than the caller's, and opens its inputs. `inputs.close` releases both. */
async function openRun(
  { inputs, workDir }: SandboxedCommand,
  ownUser: boolean,
): Promise<{ uid: number | null; inputs: OpenInputs }> {
  const user = ownUser ? takeUser() : null;
  const uid = user?.uid ?? null;
  try {
    const opened = await openInputs(inputs, { uid, workDir });
    const close = () => opened.close().finally(() => user?.release());
    return { uid, inputs: { ...opened, close } };
  } catch (error) {
    user?.release();
    throw error;
  }
}

function partialStatus(isolation: PartialIsolation, asRoot: boolean, errors: readonly SandboxWarning[]): SandboxStatus {
  const protections = {
    files: false,
    network: isolation.network !== 'none',
    processes: false,
    user: isolation.parentDeath && (isolation.user === 'dropped' || !asRoot),
    seccomp: false,
    limits: isolation.resourceLimits && isolation.parentDeath && isolation.user === 'dropped',
  };
  const warnings = [...errors, warning('FILES')];
  if (!protections.network) warnings.push(warning('NETWORK'));
  if (!protections.user) warnings.push(warning('PRIVILEGES'));
  if (isolation.user === 'same') warnings.push(warning('THREADS'));
  if (!(isolation.resourceLimits && isolation.parentDeath)) warnings.push(warning('MEMORY'));
  return { method: 'partial', protections, warnings };
}

/** Null when it works, otherwise its output. */
async function tryOut(sandbox: Sandbox, command: SandboxedCommand, triesWhenBusy = 10): Promise<string | null> {
  try {
    const launch = await sandbox.prepare(command);
    try {
      const { limits } = command;
      await supervise(launch, {
        tool: command.program,
        limits,
        workDir: null,
        bytesBefore: 0,
        input: false,
        output: 'collect',
      }).ended;
      return null;
    } finally {
      await launch.close();
    }
  } catch (error) {
    // A busy machine is inconclusive.
    if (error instanceof RunError && error.reason === 'busy' && triesWhenBusy > 1) {
      await pause(BUSY_PAUSE_MS);
      return tryOut(sandbox, command, triesWhenBusy - 1);
    }
    const stderr = error instanceof RunError ? error.stderrTail.trim() : '';
    return stderr.split('\n').at(-1) || String(error);
  }
}

function warning(problem: SandboxProblem, detail = ''): SandboxWarning {
  return { problem, detail };
}
