import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

/** Waits until `holds` returns true; rejects after 20 s. */
export async function until(holds: () => Promise<boolean> | boolean, what: string): Promise<void> {
  const end = performance.now() + 20_000;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`Not within 20 s: ${what}`);
    await pause(10);
  }
}

/** Whether a process (of `program`, if given) with `marker` on its command line is running on this machine. */
export async function isRunning(marker: string, program = ''): Promise<boolean> {
  return (await processesWith(marker, program)).length > 0;
}

/**
 * Ends what is left of sandboxes whose worker was killed while it started them: bubblewrap's first process in one waits
 * for its parent then, without a program. `marker` is on its command line.
 */
export async function endLeftSandboxes(marker: string): Promise<void> {
  for (const pid of await processesWith(marker, 'bwrap')) process.kill(pid, 'SIGKILL');
}

async function processesWith(marker: string, program: string): Promise<number[]> {
  const found: number[] = [];
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name) && name !== `${process.pid}`)) {
    const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    const [path = ''] = commandLine.split('\0');
    if (commandLine.includes(marker) && path !== process.execPath && path.endsWith(program)) found.push(Number(pid));
  }
  return found;
}
