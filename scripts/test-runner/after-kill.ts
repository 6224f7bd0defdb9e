/**
 * Waits until the checks have ended: `node after-kill.ts FOLDER…`, with a pipe from them as standard input. Where they
 * were killed (SIGKILL) and so could not end what they had started, it ends the processes that name one of the folders,
 * in their arguments or environment, and removes the folders.
 */
import { readdirSync, rmSync } from 'node:fs';
import { isAlive, stopServer } from '../../server/src/platform/db/local/postgres-process.ts';
import { isPostgres, read, signalTo } from './processes.ts';

const folders = process.argv.slice(2);
let isOver = false;
for await (const _ of process.stdin) isOver = true;
if (!isOver) {
  for (let left = processes(); left.length > 0; left = processes())
    for (const pid of left)
      if (isPostgres(pid)) await stopServer(pid);
      else signalTo(pid, 'SIGKILL');
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Sessions of PostgreSQL end with their server. */
function processes(): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry) && Number(entry) !== process.pid)
    .map(Number)
    .filter((pid) => {
      const text = read(`/proc/${pid}/environ`) + read(`/proc/${pid}/cmdline`);
      return folders.some((folder) => text.includes(folder)) && isAlive(pid) && !isSession(pid);
    });
}

function isSession(pid: number): boolean {
  return read(`/proc/${pid}/cmdline`).startsWith('postgres: ');
}
