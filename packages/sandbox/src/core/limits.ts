import { readFileSync } from 'node:fs';

/** Limits of one run. The runner enforces all of them; the first three also hold if the runner itself is killed. */
export interface RunLimits {
  /** CPU seconds over all threads. */
  readonly cpuSeconds: number;
  /**
   * Writable private memory (heap, stacks), not address space, so that many encoder threads do not count for more than
   * they use.
   */
  readonly memoryBytes: number;
  /** Maximum bytes added to the work folder, also per file. */
  readonly outputBytes: number;
  readonly wallMs: number;
}

/**
 * Threads and processes of one run. Converting a video to seven rungs by ffmpeg 5.1 for 64 cores (-cpucount 64)
 * takes 637.
 */
const MAX_PROCESSES = 2048;

/** The command that sets the kernel's resource limits (getrlimit(2)) and then becomes what follows it. */
export function limitCommand(limits: RunLimits, options: { readonly ownUser: boolean }): string[] {
  const cpu = Math.max(1, Math.ceil(limits.cpuSeconds));
  return [
    ...[
      'prlimit',
      `--cpu=${cpu}:${cpu + 2}`,
      `--data=${Math.ceil(limits.memoryBytes)}`,
      `--fsize=${Math.ceil(limits.outputBytes)}`,
    ],
    ...['--core=0', '--nofile=1024'],
    // Counted per user over the whole machine: meaningful only for a user that runs nothing else.
    ...(options.ownUser ? [`--nproc=${MAX_PROCESSES}`] : []),
    '--',
  ];
}

/**
 * The same limit for a program that stays the caller's user. Belongs inside its user namespace, which counts apart:
 * see `countsInNamespaces`.
 */
export function processLimitCommand(prlimit: string): string[] {
  // Only root may raise a limit.
  const allowed = Number(
    /^Max processes +\d+ +(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1] ?? MAX_PROCESSES,
  );
  return [prlimit, `--nproc=${Math.min(MAX_PROCESSES, allowed)}`, '--'];
}

/** Whether the kernel counts the processes of a user for each user namespace: Linux 5.14 and later. */
export function countsInNamespaces(kernelRelease: string): boolean {
  const [major = 0, minor = 0] = kernelRelease.split('.').map((part) => Number.parseInt(part, 10));
  return major > 5 || (major === 5 && minor >= 14);
}
