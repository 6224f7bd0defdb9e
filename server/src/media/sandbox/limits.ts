/** Limits of one run. The runner enforces all of them; the first three also hold if the runner itself is killed. */
export interface RunLimits {
  /** CPU seconds over all threads. */
  readonly cpuSeconds: number;
  /** Writable private memory (heap, stacks), not address space, so that many encoder threads do not count for more than they use. */
  readonly memoryBytes: number;
  /** Everything the run may add to its work folder; also the largest single file. */
  readonly outputBytes: number;
  readonly wallMs: number;
}

/** The command that sets the kernel's resource limits (getrlimit(2)) and then becomes what follows it. */
export function limitCommand(limits: RunLimits, options: { readonly ownUser: boolean }): string[] {
  const cpu = Math.max(1, Math.ceil(limits.cpuSeconds));
  return [
    ...['prlimit', `--cpu=${cpu}:${cpu + 2}`, `--data=${Math.ceil(limits.memoryBytes)}`, `--fsize=${Math.ceil(limits.outputBytes)}`],
    ...['--core=0', '--nofile=1024'],
    // Counted per user over the whole machine: meaningful only for a user that runs nothing else.
    ...(options.ownUser ? ['--nproc=8192'] : []),
    '--',
  ];
}
