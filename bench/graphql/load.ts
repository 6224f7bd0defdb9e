import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** Jiffies per second in /proc; 100 on every Linux that Node supports. */
const TICKS_PER_SECOND = 100;

/** A server under load: its process, its address and the application name of its database connections. */
export interface Target {
  readonly pid: number;
  readonly url: string;
  readonly application: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Cost {
  /** CPU microseconds per request, of the server process and of its database backends. */
  readonly serverUs: number;
  readonly databaseUs: number;
  readonly requestsPerSecond: number;
}

/** Sends `count` requests, `concurrency` at a time over persistent connections, and measures the CPU of the target. */
export async function measure(
  target: Target,
  bodies: readonly string[],
  count: number,
  concurrency: number,
  databaseUrl: string,
): Promise<Cost> {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  const backends = await backendsOf(databaseUrl, target.application);
  const server = cpuUs([target.pid]);
  const database = cpuUs(backends);
  const startedAt = performance.now();
  let next = 0;
  const client = async () => {
    for (let at = next++; at < count; at = next++) await send(agent, target, bodies[at % bodies.length] ?? '');
  };
  await Promise.all(Array.from({ length: concurrency }, client));
  const seconds = (performance.now() - startedAt) / 1000;
  agent.destroy();
  return {
    serverUs: (cpuUs([target.pid]) - server) / count,
    databaseUs: (cpuUs(backends) - database) / count,
    requestsPerSecond: count / seconds,
  };
}

/** One request; returns the response text. Fails unless it is 200 without errors. */
export async function send(agent: Agent, target: Target, body: string): Promise<string> {
  return String(await fetchBytes(agent, target, body));
}

/** One request; returns the body as it was sent. Fails unless it is 200, and without errors where it is not encoded. */
export function fetchBytes(agent: Agent, target: Target, body: string): Promise<Buffer> {
  return new Promise((done, fail) => {
    const outgoing = request(
      `${target.url}/graphql`,
      {
        agent,
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...target.headers },
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('end', () => {
          const bytes = Buffer.concat(chunks);
          if (incoming.statusCode !== 200 || bytes.includes('"errors":['))
            fail(new Error(`${incoming.statusCode}: ${bytes.toString().slice(0, 500)}`));
          else done(bytes);
        });
        incoming.on('error', fail);
      },
    );
    outgoing.on('error', fail);
    outgoing.end(body);
  });
}

/** Processes of the database that serve the connections of `application`. */
export async function backendsOf(databaseUrl: string, application: string): Promise<number[]> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'bench' });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pid from pg_stat_activity where application_name = $1', [
    application,
  ]);
  await client.end();
  return rows.map(({ pid }) => pid);
}

/** CPU time of the processes so far, user and system, in microseconds. */
export function cpuUs(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + (scheduledUs(pid) ?? countedUs(pid)), 0);
}

/** What a process takes of a core, in the next seconds. */
export async function coreShare(pid: number, seconds: number): Promise<number> {
  const before = cpuUs([pid]);
  await sleep(1_000 * seconds);
  return (cpuUs([pid]) - before) / 1e6 / seconds;
}

/** By the scheduler, in nanoseconds for each thread; null where the kernel does not say (sched-stats.rst). */
function scheduledUs(pid: number): number | null {
  const folder = `/proc/${pid}/task`;
  if (!existsSync(`/proc/${pid}/schedstat`)) return null;
  const nanoseconds = (thread: string) => Number(readFileSync(`${folder}/${thread}/schedstat`, 'utf8').split(' ')[0]);
  return readdirSync(folder).reduce((sum, thread) => sum + nanoseconds(thread), 0) / 1_000;
}

/** In ticks (proc(5), stat fields 14 and 15): a round of 2,800 requests is measured to 4 us a request. */
function countedUs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').pop()?.split(' ') ?? [];
  return ((Number(fields[11]) + Number(fields[12])) * 1e6) / TICKS_PER_SECOND;
}
