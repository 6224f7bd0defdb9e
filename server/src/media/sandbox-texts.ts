import type { SandboxProblem, SandboxWarning } from '@reelgraph/sandbox';
import { AppError } from '../kernel/errors.ts';
import { type Text, t } from '../kernel/languages/message.ts';

/** The error where the operator requires the complete sandbox; for uploaders and for the log. Retryable. */
export function sandboxRefusal(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', t`This server does not process media until its sandbox works.`, {
    suggestedFix: t`The operator must install bubblewrap and allow it to make namespaces (\`reelgraph doctor\` explains
      how), or set SANDBOX=prefer. Try again afterwards.`,
    retryAfterSeconds: 300,
  });
}

/** A sentence for the operator: what the sandbox lacks, with the fix. */
export function sandboxAdvice({ problem, detail }: SandboxWarning): Text {
  return ADVICE[problem](detail);
}

const ADVICE: Record<SandboxProblem, (detail: string) => Text> = {
  NO_BUBBLEWRAP: () => t`bubblewrap is not installed (Debian: apt-get install bubblewrap).`,
  BUBBLEWRAP_FAILS: (problem) => t`bubblewrap does not work here: ${problem}`,
  NO_SECCOMP: () => t`Media tools may make every system call: this machine allows no seccomp filter.`,
  SYSTEM_CALLS: () => t`Media tools may make every system call: only bubblewrap can filter them.`,
  THREADS: () => t`Media tools may start threads without number: where the platform is not root, bounding them
    takes Linux 5.14 or later, prlimit (util-linux) and user namespaces.`,
  FILES: () => t`Media tools can read files of the platform: no file system of their own can be made for them here.`,
  NETWORK: () => t`Media tools share the network of the platform: no network namespace can be made here.`,
  PRIVILEGES: () => t`Media tools run with the rights of the platform: setpriv (util-linux) is missing or not allowed.`,
  MEMORY: () =>
    t`Media tools have no memory limit, or outlive a killed worker: prlimit or setpriv (util-linux) is missing.`,
};
