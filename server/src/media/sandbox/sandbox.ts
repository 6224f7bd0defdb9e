import { AppError } from '../../kernel/errors.ts';
import type { RunLimits } from './limits.ts';

/**
 * The users that sandboxed processes become when the platform runs as root, one for each run at a time. Deliberately
 * not 65534 (nobody), which other services on the machine use: whoever shares a uid may signal and inspect each other's
 * processes, and uses up each other's limit on processes.
 */
export const SANDBOX_UIDS = { first: 65_432, count: 64 } as const;
/** The group of all of them: private inputs are readable for it as long as a run needs them. */
export const SANDBOX_GID = 65_432;

/** A name that programs do not lie below: what is mounted there covers nothing. */
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

/** What one isolates a process from; the names are those of `/readyz` and of `reelgraph doctor`. */
export const PROTECTIONS = ['files', 'network', 'processes', 'user', 'seccomp', 'limits'] as const;
export type Protection = (typeof PROTECTIONS)[number];

/**
 * The isolation of every sandboxed process of this machine, found by probing.
 * - `files`      it sees the program, its libraries, its inputs and its work folder, and nothing else
 * - `network`    it has none, not even loopback
 * - `processes`  it sees and signals none but its own
 * - `user`       it is not root and has no capabilities, and cannot gain any
 * - `seccomp`    it may only make the system calls of an allow-list
 * - `limits`     CPU time, memory, size of files and number of threads are bounded, and it dies with the platform
 */
export interface SandboxStatus {
  readonly method: SandboxMethod;
  readonly protections: Readonly<Record<Protection, boolean>>;
  /** Sentences for the operator: what is missing and what to do; empty when everything holds. */
  readonly warnings: readonly string[];
}

/** Whether everything required by `SANDBOX=require` holds. */
export function isComplete({ method, protections }: SandboxStatus): boolean {
  return method === 'bubblewrap' && PROTECTIONS.every((protection) => protections[protection]);
}

/** The error where the operator requires the complete sandbox; for uploaders and for the log. Retryable. */
export function sandboxRefusal(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', 'This server does not process media until its sandbox works.', {
    suggestedFix:
      'The operator must install bubblewrap and allow it to make namespaces ' +
      '(`reelgraph doctor` says how), or set SANDBOX=prefer. Try again afterwards.',
    retryAfterSeconds: 300,
  });
}

/** A program and everything of the host that it may use. */
export interface SandboxedCommand {
  /** Absolute path. */
  readonly program: string;
  readonly args: readonly string[];
  /** Further files and folders of the host, seen read-only under their own paths. */
  readonly readOnly: readonly string[];
  /** Files, seen read-only at `inputArg(n)`. */
  readonly inputs: readonly string[];
  /** A folder, seen writable at WORK_DIR. */
  readonly workDir: string | null;
  /** True only for programs of the operator that fetch. They may also start programs of the host. */
  readonly network: boolean;
  readonly limits: RunLimits;
}

/** A command as one way to isolate it starts it. */
export interface PreparedCommand extends SandboxedCommand {
  /** Which of SANDBOX_UIDS it becomes; null: it stays the platform's user. */
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
  /** The user it becomes, to whom its work folder must be lent; null: the platform's own. */
  readonly uid: number | null;
  /** Whether an input became unreadable for the command, through no fault of its own. */
  revoked(): boolean;
  /** Releases what was opened for it; call it once it has ended. */
  close(): Promise<void>;
}

/** One way to isolate a process. */
export interface Sandbox {
  readonly status: SandboxStatus;
  /** @throws Error when something the command needs does not exist; RunError `busy` when no user is free for it. */
  prepare(command: SandboxedCommand): Promise<Launch>;
  /** Looks at the host's files anew for the next command: those of before may have been replaced. */
  forget(): void;
}
