import { limitCommand } from '../core/limits.ts';
import { inputArg, type PreparedCommand, SANDBOX_GID } from '../core/sandbox.ts';

/** The fallback without a separate file system. `none`, `same` and `false` mark missing isolation. */
export interface PartialIsolation {
  /** `namespace`: an empty network namespace, made directly; `user-namespace`: made by way of a user namespace. */
  readonly network: 'namespace' | 'user-namespace' | 'none';
  /** `dropped`: runs as one of SANDBOX_UIDS with no groups and no capabilities; `same`: as the caller's own user. */
  readonly user: 'dropped' | 'same';
  /** Whether CPU, memory and file size are bounded by resource limits. */
  readonly resourceLimits: boolean;
  /** Whether the kernel kills the tool when the caller's process dies, and prevents it from gaining privileges. */
  readonly parentDeath: boolean;
}

const INPUT = new RegExp(`${inputArg(0).replace(/0$/, '')}(\\d+)`, 'g');
const FIRST_DESCRIPTOR = 3;

/**
 * The command line that isolates `command` as far as possible. It sees the host's files; inputs are inherited
 * descriptors. Every link execs the next, so the process that was spawned is the program itself. Order matters:
 * dropping the user clears the parent-death signal, hence `setpriv` is last.
 */
export function partialCommand(isolation: PartialIsolation, command: PreparedCommand): string[] {
  const drop = ['--reuid', `${command.uid}`, '--regid', `${SANDBOX_GID}`, '--clear-groups'].concat([
    '--inh-caps=-all',
    '--ambient-caps=-all',
    '--bounding-set=-all',
  ]);
  const network = command.network ? 'none' : isolation.network;
  const dropsFirst = isolation.user === 'dropped' && network === 'user-namespace';
  const argv: string[] = [];
  if (dropsFirst) argv.push('setpriv', ...drop, '--');
  if (network === 'namespace') argv.push('unshare', '--net', '--ipc', '--');
  if (network === 'user-namespace') argv.push('unshare', '--user', '--map-current-user', '--net', '--ipc', '--');
  if (isolation.resourceLimits) argv.push(...limitCommand(command.limits, { ownUser: isolation.user === 'dropped' }));
  if (isolation.parentDeath) {
    argv.push(
      'setpriv',
      ...(isolation.user === 'dropped' && !dropsFirst ? drop : []),
      '--no-new-privs',
      '--pdeathsig',
      'KILL',
      '--',
    );
  }
  const args = command.args.map((arg) =>
    arg.replace(INPUT, (_, index) => `/proc/self/fd/${FIRST_DESCRIPTOR + Number(index)}`),
  );
  return [...argv, command.program, ...args];
}

/** All combinations, strongest first. */
export function partialChoices(asRoot: boolean): PartialIsolation[] {
  const choices: PartialIsolation[] = [];
  for (const [resourceLimits, parentDeath] of [
    [true, true],
    [true, false],
    [false, false],
  ] as const) {
    for (const user of asRoot ? (['dropped', 'same'] as const) : (['same'] as const)) {
      if (user === 'dropped' && !parentDeath) continue; // both are done by setpriv
      for (const network of ['namespace', 'user-namespace', 'none'] as const) {
        if (network === 'namespace' && !asRoot) continue;
        choices.push({ network, user, resourceLimits, parentDeath });
      }
    }
  }
  return choices;
}
