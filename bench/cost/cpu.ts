import { existsSync, readdirSync, readFileSync } from 'node:fs';

/**
 * CPU time of the processes so far, all threads, in milliseconds (proc(5), /proc/PID/task/TID/schedstat: nanoseconds on
 * a CPU). One that has ended counts as 0.
 */
export function cpuMs(pids: readonly number[]): number {
  let nanoseconds = 0;
  for (const pid of pids)
    for (const task of tasksOf(pid))
      nanoseconds += Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]);
  return nanoseconds / 1e6;
}

function tasksOf(pid: number): readonly string[] {
  return existsSync(`/proc/${pid}`) ? readdirSync(`/proc/${pid}/task`) : [];
}
