import type { RunLimits } from './limits.ts';

/**
 * The users that sandboxed processes become when the caller runs as root, one for each run at a time. Deliberately
 * not 65534 (nobody), which other services on the machine use: processes with the same uid may signal and inspect each
 * other, and share a process limit.
 */
export const SANDBOX_UIDS = { first: 65_432, count: 64 } as const;
/** The group of all of them: private inputs are readable for it during a run. */
export const SANDBOX_GID = 65_432;

/** A path without programs: mounts there hide nothing. */
const OWN_DIR = '/.sandbox';
/** Where the work folder is mounted; also the working directory. */
export const WORK_DIR = `${OWN_DIR}/work`;
const INPUT_DIR = `${OWN_DIR}/input`;

/** Path of the n-th input inside the sandbox: name it so in arguments. It is read-only and seekable. */
export function inputArg(index: number): string {
  return `${INPUT_DIR}/${index}`;
}

/** How sandboxed processes are isolated, strongest first. */
export const SANDBOX_METHODS = ['bubblewrap', 'unshare', 'partial'] as const;
export type SandboxMethod = (typeof SANDBOX_METHODS)[number];

/** Isolation features. */
export const PROTECTIONS = ['files', 'network', 'processes', 'user', 'seccomp', 'limits'] as const;
export type Protection = (typeof PROTECTIONS)[number];

/**
 * What a sandbox lacks, or why a stronger one is not used:
 * - `NO_BUBBLEWRAP`      it is not installed
 * - `BUBBLEWRAP_FAILS`   it does not work on this machine; `detail` is what it printed
 * - `NO_SECCOMP`         this machine allows no filter of system calls
 * - `SYSTEM_CALLS`       the method has no filter of system calls
 * - `THREADS`            programs may start threads without number: it takes Linux 5.14, prlimit and user namespaces
 * - `FILES`              programs see the files of the host
 * - `NETWORK`            programs share the network of the host
 * - `PRIVILEGES`         programs run with the rights of their caller: setpriv is missing or not allowed
 * - `MEMORY`             programs have no memory limit, or outlive a killed caller: prlimit or setpriv is missing
 */
export type SandboxProblem =
  | 'NO_BUBBLEWRAP'
  | 'BUBBLEWRAP_FAILS'
  | 'NO_SECCOMP'
  | 'SYSTEM_CALLS'
  | 'THREADS'
  | 'FILES'
  | 'NETWORK'
  | 'PRIVILEGES'
  | 'MEMORY';

export interface SandboxWarning {
  readonly problem: SandboxProblem;
  /** What a program printed; empty for other problems. */
  readonly detail: string;
}

/**
 * The isolation of every sandboxed process of this machine, found by probing.
 * - `files`      it sees the program, its libraries, its inputs and its work folder, and nothing else
 * - `network`    it has none, not even loopback
 * - `processes`  it sees and signals none but its own
 * - `user`       it is not root and has no capabilities, and cannot gain any
 * - `seccomp`    it may only make the system calls of an allow-list
 * - `limits`     CPU time, memory, size of files and number of threads are bounded, and it dies with the caller
 */
export interface SandboxStatus {
  readonly method: SandboxMethod;
  readonly protections: Readonly<Record<Protection, boolean>>;
  /** Empty for full isolation. */
  readonly warnings: readonly SandboxWarning[];
}

/** Whether it has every protection. */
export function isComplete({ method, protections }: SandboxStatus): boolean {
  return method === 'bubblewrap' && PROTECTIONS.every((protection) => protections[protection]);
}

/** A program and the host files that it may use. */
export interface SandboxedCommand {
  /** Absolute path. */
  readonly program: string;
  readonly args: readonly string[];
  /** Further files and folders of the host, seen read-only under their own paths. */
  readonly readOnly: readonly string[];
  /** Files, seen read-only at `inputArg(n)`. */
  readonly inputs: readonly string[];
  /** Devices below /dev, and folders of them, that it may use beside those that lead nowhere. */
  readonly devices: readonly string[];
  /** A folder, seen writable at WORK_DIR. */
  readonly workDir: string | null;
  /** True only for downloaders, and for programs that receive. They may also start programs of the host. */
  readonly network: boolean;
  readonly limits: RunLimits;
}

/** The command line of an isolation method. */
export interface PreparedCommand extends SandboxedCommand {
  /** Which of SANDBOX_UIDS it becomes; null for the caller's user. */
  readonly uid: number | null;
}

/** How to start a sandboxed command. */
export interface Launch {
  readonly argv: readonly string[];
  readonly cwd: string;
  /**
   * What the command inherits from descriptor 3 on: open files of ours, or a pipe on which bubblewrap reports
   * (`--json-status-fd`), then the first.
   */
  readonly stdio: readonly (number | 'pipe')[];
  /** The user it becomes, who must be granted its work folder; null for the caller's own. */
  readonly uid: number | null;
  /** Whether an input became unreadable for external reasons. */
  revoked(): boolean;
  /** Releases its resources; call it once it has ended. */
  close(): Promise<void>;
}

/** An isolation method. */
export interface Sandbox {
  readonly status: SandboxStatus;
  /** @throws Error when something the command needs does not exist; RunError `busy` when no user is free for it. */
  prepare(command: SandboxedCommand): Promise<Launch>;
  /** Rescans the host's files for the next command, because they may have been replaced. */
  forget(): void;
}
