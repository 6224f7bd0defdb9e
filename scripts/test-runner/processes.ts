import { readFileSync } from 'node:fs';

/** Whether a process is a PostgreSQL server, one of its sessions, or the program that makes its folder. */
export function isPostgres(pid: number): boolean {
  return /^(?:postgres:|\S*\/(?:postgres|initdb)\0)/.test(read(`/proc/${pid}/cmdline`));
}

/** A file of a process; empty once it is gone. */
export function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** Sends a signal, unless the process is gone. */
export function signalTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone already.
  }
}
