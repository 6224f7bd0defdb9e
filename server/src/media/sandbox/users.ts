import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { RunError } from '../run-error.ts';
import { SANDBOX_UIDS } from './sandbox.ts';

/** A user that no other run of this machine is while it is taken. */
export interface TakenUser {
  readonly uid: number;
  release(): void;
}

/**
 * Takes one of SANDBOX_UIDS for a run, so that its process limit counts no other run. Taken users are visible to all
 * processes of the machine as abstract sockets (unix(7)), which the kernel releases when their process dies. The first
 * look is at random: containers with network namespaces of their own do not see each other's sockets.
 * @throws RunError `busy` when all are taken.
 */
export async function takeUser(name = 'reelgraph-sandbox-user'): Promise<TakenUser> {
  const { first, count } = SANDBOX_UIDS;
  const start = randomInt(count);
  let fault = '';
  for (let step = 0; step < count; step++) {
    const uid = first + ((start + step) % count);
    const server = createServer((socket) => socket.destroy()).unref();
    try {
      server.listen(`\0${name}-${uid}`);
      await once(server, 'listening');
      return { uid, release: () => server.close() };
    } catch (error) {
      fault = error instanceof Error ? error.message : String(error);
    }
  }
  throw new RunError('busy', { tool: 'sandbox', stderrTail: `No sandbox user is free for another program: ${fault}` });
}
