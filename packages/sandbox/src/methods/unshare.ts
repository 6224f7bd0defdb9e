import { join, relative } from 'node:path';
import { findExecutable } from '../core/executables.ts';
import { limitCommand, processLimitCommand } from '../core/limits.ts';
import { inputArg, type PreparedCommand, WORK_DIR } from '../core/sandbox.ts';
import { dropCommand, findProcessLimit } from './bubblewrap.ts';
import { foldersAbove, type HostFiles } from './host-files.ts';

const BARE_ROOT = join(import.meta.dirname, 'bare-root.sh');
/** Run inside a user namespace: disables nested ones, and execs the following command. */
const CLOSE_NAMESPACES = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"';

/**
 * Programs of util-linux, and the shell; all but `umount`, `setpriv`, `prlimit`, `sh` and `unshare` are used outside
 * the sandbox only.
 */
export interface UnshareTools {
  readonly unshare: string;
  readonly setpriv: string;
  readonly umount: string;
  readonly sh: string;
  readonly asRoot: boolean;
  /** See BubblewrapTools. */
  readonly prlimit: string | null;
}

/**
 * The command line that starts `command` in namespaces and in a file system of its own, made with unshare(1) and
 * mount(8). Started by root, it becomes the user it was given and enters a user namespace; started by anybody else, it
 * is in one from the beginning. No filter of system calls.
 */
export function unshareCommand(tools: UnshareTools, command: PreparedCommand, { binds, links }: HostFiles): string[] {
  const { setpriv, prlimit, sh, unshare } = tools;
  const asRoot = command.uid !== null;
  const inputs = command.inputs.map((path, index) => [path, inputArg(index)] as const);
  const folders = foldersAbove([...binds, ...links.map(({ path }) => path), inputArg(0)]);
  const noCapabilities = ['--no-new-privs', '--inh-caps=-all', '--bounding-set=-all', '--'];
  return [
    ...limitCommand(command.limits, { ownUser: asRoot }),
    ...[setpriv, '--pdeathsig', 'KILL', '--'],
    ...[unshare, '--mount', '--pid', '--fork', '--kill-child=KILL', '--ipc', '--uts', '--cgroup'],
    ...(command.network ? [] : ['--net']),
    ...(asRoot ? [] : ['--user', '--map-root-user']),
    ...['--', sh, BARE_ROOT, asRoot ? 'root' : 'user', tools.umount],
    ...[...folders, '--'],
    ...[...links.flatMap(({ path, target }) => [target, path]), '--'],
    ...[...binds, '--'],
    ...[...inputs.flat(), '--'],
    ...[...(command.workDir === null ? [] : [command.workDir, WORK_DIR]), '--'],
    ...[...command.devices.map((path) => relative('/dev', path)), '--'],
    ...(command.uid !== null
      ? [
          ...dropCommand(setpriv, command.uid),
          unshare,
          '--user',
          '--map-root-user',
          '--',
          sh,
          '-c',
          CLOSE_NAMESPACES,
          'sh',
        ]
      : []),
    ...(prlimit === null ? [] : processLimitCommand(prlimit)),
    ...[setpriv, ...noCapabilities],
    command.program,
    ...command.args,
  ];
}

/** Null when one of them is not installed. */
export function findUnshare(searchPath: string, asRoot: boolean): UnshareTools | null {
  const [unshare, setpriv, umount, sh, mount, pivotRoot] = [
    'unshare',
    'setpriv',
    'umount',
    'sh',
    'mount',
    'pivot_root',
  ].map((name) => findExecutable(name, searchPath));
  return unshare && setpriv && umount && sh && mount && pivotRoot
    ? { unshare, setpriv, umount, sh, asRoot, prlimit: asRoot ? null : findProcessLimit(searchPath) }
    : null;
}
