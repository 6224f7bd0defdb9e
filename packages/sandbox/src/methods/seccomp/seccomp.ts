import { assemble, type Instruction, ifAnyOf, ifEqual, ifNoneOf, load, response, unlessEqual } from './bpf.ts';
import { CHECKED_SYSCALLS, FETCH_SYSCALLS, MEDIA_SYSCALLS, type SyscallNumbers } from './syscalls.ts';

/** struct seccomp_data (linux/seccomp.h): where number, architecture and the lower half of an argument are. */
const NUMBER = 0;
const ARCHITECTURE = 4;
const argument = (index: number) => 16 + 8 * index;

const KILL = 0x80000000; // SECCOMP_RET_KILL_PROCESS
const ALLOW = 0x7fff0000; // SECCOMP_RET_ALLOW
const refuse = (errno: number) => 0x00050000 | errno; // SECCOMP_RET_ERRNO
const EPERM = 1;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

/** Architectures by Node's name: AUDIT_ARCH_* (linux/audit.h), and the column of the table of system calls. */
const ARCHITECTURES = {
  x64: { audit: 0xc000003e, column: 0 },
  arm64: { audit: 0xc00000b7, column: 1 },
} as const;
export type SeccompArchitecture = keyof typeof ARCHITECTURES;

export function isSeccompArchitecture(name: string): name is SeccompArchitecture {
  return name in ARCHITECTURES;
}

const CLONE_THREAD = 0x00010000;
/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET. */
const CLONE_NAMESPACES = 0x7e020000;
/** Terminal queries, and those of Node and glibc on pipes: TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX. */
const IOCTLS = [0x5401, 0x5413, 0x541b, 0x5421, 0x5450, 0x5451];
/** TIOCSTI. */
const TYPE_INTO_TERMINAL = 0x5412;
/**
 * AF_INET, AF_INET6, and AF_NETLINK, which glibc asks for the addresses of this machine. AF_UNIX is not among them: it
 * leads to other processes.
 */
const FETCH_FAMILIES = [2, 10, 16];

export interface SeccompPolicy {
  readonly architecture: SeccompArchitecture;
  /** False: no sockets, and threads but no other processes. True: for downloaders. */
  readonly network: boolean;
  /** Whether drivers of devices may be asked for anything: only for programs that are given some. */
  readonly devices: boolean;
}

/**
 * The filter of system calls as a list of instructions: listed calls are allowed, others are refused with EPERM, and a
 * call of another architecture (32-bit code) ends the process. clone3 does not exist here (ENOSYS), so that glibc uses
 * clone, whose flags a filter can see.
 */
export function seccompProgram({ architecture, network, devices }: SeccompPolicy): Instruction[] {
  const { audit, column } = ARCHITECTURES[architecture];
  const when = (numbers: SyscallNumbers, body: readonly Instruction[]) => {
    const number = numbers[column];
    return number === null ? [] : ifEqual(number, body);
  };
  const allowed: Record<string, SyscallNumbers> = network ? { ...MEDIA_SYSCALLS, ...FETCH_SYSCALLS } : MEDIA_SYSCALLS;
  const { clone, clone3, fallocate, ioctl, socket } = CHECKED_SYSCALLS;
  const outsideNamespaces = ifNoneOf(CLONE_NAMESPACES, [response(ALLOW)]);
  return [
    load(ARCHITECTURE),
    ...unlessEqual(audit, [response(KILL)]),
    load(NUMBER),
    ...Object.values(allowed).flatMap((numbers) => when(numbers, [response(ALLOW)])),
    ...when(clone3, [response(refuse(ENOSYS))]),
    ...when(clone, [
      load(argument(0)),
      ...(network ? outsideNamespaces : ifAnyOf(CLONE_THREAD, outsideNamespaces)),
      response(refuse(EPERM)),
    ]),
    // With any flag, allocated space differs from the file's size.
    ...when(fallocate, [load(argument(1)), ...ifEqual(0, [response(ALLOW)]), response(refuse(EPERM))]),
    ...when(ioctl, [
      load(argument(1)),
      ...(devices
        ? ifEqual(TYPE_INTO_TERMINAL, [response(refuse(EPERM))])
        : IOCTLS.flatMap((request) => ifEqual(request, [response(ALLOW)]))),
      response(devices ? ALLOW : refuse(EPERM)),
    ]),
    ...(network
      ? when(socket, [
          load(argument(0)),
          ...FETCH_FAMILIES.flatMap((family) => ifEqual(family, [response(ALLOW)])),
          response(refuse(EAFNOSUPPORT)),
        ])
      : []),
    response(refuse(EPERM)),
  ];
}

/** The filter as `bwrap --seccomp` takes it. */
export function seccompFilter(policy: SeccompPolicy): Buffer {
  return assemble(seccompProgram(policy));
}
