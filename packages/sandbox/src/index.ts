/**
 * Runs programs on untrusted files: without the host's files, network and privileges, and within limits
 * of time, memory and output. README.md has an example.
 */
export { DEFAULT_PATH, findExecutable } from './core/executables.ts';
export type { RunLimits } from './core/limits.ts';
export { RunError, type RunErrorReason } from './core/run-error.ts';
export {
  inputArg,
  isComplete,
  PROTECTIONS,
  type Protection,
  SANDBOX_GID,
  SANDBOX_METHODS,
  SANDBOX_UIDS,
  type SandboxMethod,
  type SandboxProblem,
  type SandboxStatus,
  type SandboxWarning,
  WORK_DIR,
} from './core/sandbox.ts';
export { findPackage, nativeAddons, packagesOf } from './files/package-files.ts';
export { removeTree } from './files/remove-tree.ts';
export type { PipedOptions } from './run/piped-runs.ts';
export type { RunResult } from './run/supervise.ts';
export {
  createProgramRunner,
  type PipedCommand,
  type ProgramOptions,
  type ProgramRunner,
  type ProgramRunnerOptions,
  type RunOptions,
  type SandboxedChild,
} from './runner.ts';
