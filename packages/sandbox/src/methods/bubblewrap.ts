import { release } from 'node:os';
import { findExecutable } from '../core/executables.ts';
import { countsInNamespaces, limitCommand, processLimitCommand } from '../core/limits.ts';
import { inputArg, type PreparedCommand, SANDBOX_GID, WORK_DIR } from '../core/sandbox.ts';
import { type CommandFiles, foldersAbove } from './host-files.ts';
import { preloadCommand } from './preload.ts';

export interface BubblewrapTools {
  readonly bwrap: string;
  /** Drops the user inside, where the caller runs as root; null otherwise. */
  readonly setpriv: string | null;
  /**
   * Limits the number of processes inside, where the caller does not run as root and the kernel counts them apart;
   * null otherwise.
   */
  readonly prlimit: string | null;
  /** See `preloadCommand`; null where it is not installed. */
  readonly env: string | null;
}

/** Numbers of the descriptors passed to bubblewrap. */
export interface BubblewrapDescriptors {
  readonly seccomp: number | null;
  readonly status: number;
}

/** Capabilities for entering another user's work folder and becoming that user; dropped with the change. */
const LAUNCHER_CAPABILITIES = ['CAP_DAC_OVERRIDE', 'CAP_SETUID', 'CAP_SETGID', 'CAP_SETPCAP'];

/**
 * The command line that starts `command` below bubblewrap (bwrap(1)). Started by root, bubblewrap itself makes the
 * mounts with root's rights and the command becomes the user it was given; started by anybody else, all of it happens
 * in a user namespace.
 */
export function bubblewrapCommand(
  tools: BubblewrapTools,
  command: PreparedCommand,
  { binds, links, libraries }: CommandFiles,
  descriptors: BubblewrapDescriptors,
): string[] {
  const asRoot = command.uid !== null;
  return [
    ...limitCommand(command.limits, { ownUser: asRoot }),
    tools.bwrap,
    ...[
      '--unshare-pid',
      '--unshare-ipc',
      '--unshare-uts',
      '--unshare-cgroup-try',
      '--hostname',
      'sandbox',
      '--die-with-parent',
    ],
    ...(asRoot ? [] : ['--unshare-user']),
    ...(command.network ? [] : ['--unshare-net']),
    ...['--cap-drop', 'ALL'],
    ...(asRoot ? LAUNCHER_CAPABILITIES.flatMap((capability) => ['--cap-add', capability]) : []),
    // Folders that bubblewrap has to make for a mount are closed to other users.
    ...foldersAbove([...binds, ...links.map(({ path }) => path), inputArg(0)]).flatMap((folder) => ['--dir', folder]),
    ...links.flatMap(({ path, target }) => ['--symlink', target, path]),
    ...binds.flatMap((path) => ['--ro-bind', path, path]),
    ...['--proc', '/proc', '--dev', '/dev', ...deviceBinds(command.devices), '--remount-ro', '/dev'],
    ...command.inputs.flatMap((path, index) => ['--ro-bind', path, inputArg(index)]),
    ...(command.workDir === null ? ['--chdir', '/'] : ['--bind', command.workDir, WORK_DIR, '--chdir', WORK_DIR]),
    ...['--remount-ro', '/'],
    ...(descriptors.seccomp === null ? [] : ['--seccomp', `${descriptors.seccomp}`]),
    ...['--json-status-fd', `${descriptors.status}`, '--'],
    ...(tools.setpriv === null || command.uid === null ? [] : dropCommand(tools.setpriv, command.uid)),
    ...(tools.prlimit === null ? [] : processLimitCommand(tools.prlimit)),
    ...preloadCommand(tools.env, libraries),
    command.program,
    ...command.args,
  ];
}

function deviceBinds(devices: readonly string[]): string[] {
  const folders = foldersAbove(devices).filter((folder) => folder !== '/dev');
  return [...folders.flatMap((folder) => ['--dir', folder]), ...devices.flatMap((path) => ['--dev-bind', path, path])];
}

/** Becomes another user, without further groups, capabilities or a way to gain any. */
export function dropCommand(setpriv: string, uid: number): string[] {
  return [
    ...[setpriv, '--reuid', `${uid}`, '--regid', `${SANDBOX_GID}`, '--clear-groups', '--no-new-privs'],
    ...['--inh-caps=-all', '--ambient-caps=-all', '--bounding-set=-all', '--'],
  ];
}

/** Paths of bubblewrap and its helpers; null when it is not installed. */
export function findBubblewrap(searchPath: string, asRoot: boolean): BubblewrapTools | null {
  const bwrap = findExecutable('bwrap', searchPath);
  const setpriv = asRoot ? findExecutable('setpriv', searchPath) : null;
  if (bwrap === null || (asRoot && setpriv === null)) return null;
  const env = findExecutable('env', searchPath);
  return { bwrap, setpriv, prlimit: asRoot ? null : findProcessLimit(searchPath), env };
}

/**
 * prlimit(1), where it can bound the processes of a program in a user namespace of the caller's user; null otherwise.
 */
export function findProcessLimit(searchPath: string): string | null {
  return countsInNamespaces(release()) ? findExecutable('prlimit', searchPath) : null;
}
