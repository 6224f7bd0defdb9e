/**
 * Why a sandboxed run can fail:
 * - `missing-binary`  the program is missing
 * - `busy`            the machine lacks processes or memory to start it; retryable
 * - `aborted`         the caller's signal fired
 * - `timeout`         the wall-clock limit passed
 * - `stalled`         nothing used CPU time any more (see `ProgramRunner.runPiped`)
 * - `cpu-limit`       the CPU time limit passed
 * - `output-limit`    more was written (files or standard output) than allowed
 * - `memory`          an allocation was refused
 * - `disk-full`       the work folder's disk is full
 * - `signal`          killed from outside: by somebody, or by the kernel when memory is exhausted
 * - `sandbox`         it could not be isolated, so nothing was run
 * - `bad-output`      it left other entries than plain files and folders
 * - `exit`            the tool reported an error, nearly always because of its input
 */
export type RunErrorReason =
  | 'missing-binary'
  | 'busy'
  | 'aborted'
  | 'timeout'
  | 'stalled'
  | 'cpu-limit'
  | 'output-limit'
  | 'memory'
  | 'disk-full'
  | 'signal'
  | 'sandbox'
  | 'bad-output'
  | 'exit';

export interface RunErrorDetails {
  /** Name of the program. */
  readonly tool: string;
  readonly exitCode?: number | undefined;
  readonly signal?: NodeJS.Signals | undefined;
  /** The last lines of standard error. For logs, never for users: it may contain paths. */
  readonly stderrTail?: string | undefined;
}

const SENTENCES: Record<RunErrorReason, string> = {
  'missing-binary': 'could not be started',
  busy: 'could not be started for lack of processes or memory',
  aborted: 'was cancelled',
  timeout: 'ran longer than its time limit',
  stalled: 'made no progress',
  'cpu-limit': 'used more CPU time than its limit',
  'output-limit': 'wrote more than its limit',
  memory: 'needed more memory than its limit',
  'disk-full': 'found the disk full',
  signal: 'was killed from outside',
  sandbox: 'could not be isolated',
  'bad-output': 'left something that is not a plain file',
  exit: 'reported an error',
};

/** A failed sandboxed run, with the `reason`. All its processes have ended. */
export class RunError extends Error {
  readonly reason: RunErrorReason;
  readonly tool: string;
  readonly exitCode: number | undefined;
  readonly signal: NodeJS.Signals | undefined;
  readonly stderrTail: string;

  constructor(reason: RunErrorReason, details: RunErrorDetails) {
    super(
      `${details.tool} ${SENTENCES[reason]}${details.exitCode === undefined ? '' : ` (exit code ${details.exitCode})`}`,
    );
    this.name = 'RunError';
    this.reason = reason;
    this.tool = details.tool;
    this.exitCode = details.exitCode;
    this.signal = details.signal;
    this.stderrTail = details.stderrTail ?? '';
  }
}

/**
 * Lines of errors as x264 and ffmpeg begin them (`level+info`); what they print of a file's metadata begins with
 * `[info]` or with spaces.
 */
const OUT_OF_MEMORY =
  /^(x264 \[error\]: malloc of size \d+ failed|(\[[^\]]* @ 0x[0-9a-f]+\] )?\[(error|fatal)\] .*cannot allocate memory)/im;
/** ffmpeg caught a signal and exited normally. */
const FFMPEG_INTERRUPTED = 255;
const NOT_STARTED = /failed to execute|unshare: .*failed|setpriv: .*failed|prlimit: .*failed/;

/** Whether the error of a launcher means that the machine lacks processes or memory (EAGAIN, ENOMEM). */
export function isBusy(stderr: string): boolean {
  return /resource temporarily unavailable|cannot allocate memory|cannot fork/i.test(stderr);
}

/**
 * The failure of a process that ended by itself, from its exit code or signal. Standard error may contain metadata of
 * files, so it only distinguishes `memory` from `exit`, which are both permanent. The runner also knows reached limits
 * and a full disk.
 */
export function classifyExit(
  exitCode: number | null,
  signal: NodeJS.Signals | null,
  stderrTail: string,
): RunErrorReason {
  if (signal === 'SIGXCPU') return 'cpu-limit';
  if (signal === 'SIGXFSZ') return 'output-limit';
  // A decoder that crashes on hostile input dies by SIGSEGV or SIGABRT: that is caused by the input, not from outside.
  if (signal !== null) return signal === 'SIGKILL' || signal === 'SIGTERM' || signal === 'SIGINT' ? 'signal' : 'exit';
  if (exitCode === FFMPEG_INTERRUPTED) return 'signal';
  if ((exitCode === 127 || exitCode === 126) && NOT_STARTED.test(stderrTail))
    return isBusy(stderrTail) ? 'busy' : 'missing-binary';
  return OUT_OF_MEMORY.test(stderrTail) ? 'memory' : 'exit';
}
