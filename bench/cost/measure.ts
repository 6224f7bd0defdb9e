import { type Agent, request } from 'node:http';
import { cpuMs } from './cpu.ts';
import { type CostCase, FRESH } from './documents.ts';

/** A measured server: its process, its database backends, and the client's credential. */
export interface CostTarget {
  readonly url: string;
  readonly pid: number;
  readonly pids: readonly number[];
  readonly databaseUrl: string;
  /** Credential: `authorization` of a key, or `cookie` and `origin` of a session. */
  readonly credential: Readonly<Record<string, string>>;
}

/** Cost and charge of a document. */
export interface Charged {
  readonly cpuMs: number;
  readonly points: number;
  /** Message of the first error in the response. */
  readonly error?: string | undefined;
}

/** The first requests compile the document and plan its statements, on each connection. */
const WARM_UP = 12;
const ROUNDS = 5;
/** The requests of one round take at least this much CPU in total. */
const MIN_ROUND_MS = 2;

/** CPU of one request of this document after the warm-up: the minimum of several rounds. */
export async function measureCost(agent: Agent, target: CostTarget, { query, variables }: CostCase): Promise<Charged> {
  let response = '';
  let sent = 0;
  const send = async () => {
    sent += 1;
    response = await post(
      agent,
      target,
      JSON.stringify({ query: query.replaceAll(FRESH, `Fresh${sent}`), variables: variables?.(sent) }),
    );
  };
  const once = async () => {
    const before = cpuMs(target.pids);
    await send();
    return cpuMs(target.pids) - before;
  };
  let last = 0;
  for (let round = 0; round < WARM_UP; round += 1) last = await once();
  const count = Math.min(20, Math.max(1, Math.ceil(MIN_ROUND_MS / Math.max(0.1, last))));
  const costs: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = cpuMs(target.pids);
    for (let request = 0; request < count; request += 1) await send();
    costs.push((cpuMs(target.pids) - before) / count);
  }
  const { extensions, errors } = JSON.parse(response) as {
    extensions?: { cost?: { actual: number } };
    errors?: { message: string }[];
  }; // the response format of the API
  // Other load only adds CPU time, so the minimum is the closest.
  return { cpuMs: Math.min(...costs), points: Math.max(1, extensions?.cost?.actual ?? 1), error: errors?.[0]?.message };
}

/** One request; returns the response text, with any status. */
export function post(
  agent: Agent,
  { url, credential }: Pick<CostTarget, 'url' | 'credential'>,
  body: string,
): Promise<string> {
  return new Promise((done, fail) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...credential };
    const outgoing = request(`${url}/graphql`, { agent, method: 'POST', headers }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => done(Buffer.concat(chunks).toString()));
      incoming.on('error', fail);
    });
    outgoing.on('error', fail);
    outgoing.end(body);
  });
}
