import { Agent, request } from 'node:http';
import { cpuMs } from './cpu.ts';
import type { CostTarget } from './measure.ts';

const MEGABYTE = 1024 * 1024;
const WARM_UP = 30;
const ROUNDS = 5;
const REQUESTS = 20;

interface Refused {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Without Content-Length, so that its length is known only after reading it. */
  readonly chunked?: boolean;
}

/** Unauthenticated requests of a megabyte. */
const REQUESTS_OF_NOBODY: readonly Refused[] = [
  { name: 'without a key', headers: {} },
  { name: 'without a key, chunked', headers: {}, chunked: true },
  { name: 'text that is no key', headers: { authorization: 'Bearer something' } },
  { name: 'a key with a wrong checksum', headers: { authorization: `Bearer rg_${'a'.repeat(38)}` }, chunked: true },
];

/** CPU milliseconds of server and database for each of them, and the status of the response. */
export async function measureRefused(target: CostTarget): Promise<{ name: string; status: number; cpuMs: number }[]> {
  const body = JSON.stringify({
    query: '{ verifyConnection { authenticated } }',
    variables: { deep: `${'['.repeat(MEGABYTE)}` },
  });
  const results = [];
  for (const item of REQUESTS_OF_NOBODY) {
    let status = 0;
    for (let sent = 0; sent < WARM_UP; sent += 1) status = await send(target, item, body);
    const costs: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = cpuMs(target.pids);
      for (let sent = 0; sent < REQUESTS; sent += 1) status = await send(target, item, body);
      costs.push((cpuMs(target.pids) - before) / REQUESTS);
    }
    results.push({ name: item.name, status, cpuMs: Math.min(...costs) });
  }
  return results;
}

/** Resolves with the status after the whole body was sent, so that reading it is measured, too. */
function send({ url }: CostTarget, { headers, chunked }: Refused, body: string): Promise<number> {
  return new Promise((done) => {
    const agent = new Agent();
    const length = chunked ? {} : { 'content-length': Buffer.byteLength(body) };
    let status = 0;
    const over = () => {
      agent.destroy();
      done(status);
    };
    const outgoing = request(
      `${url}/graphql`,
      { agent, method: 'POST', headers: { 'content-type': 'application/json', ...length, ...headers } },
      (incoming) => {
        status = incoming.statusCode ?? 0;
        incoming.resume();
        incoming.on('end', () => (outgoing.writableFinished ? over() : outgoing.once('finish', over)));
      },
    );
    outgoing.on('error', over);
    for (let at = 0; at < body.length; at += 65_536) outgoing.write(body.slice(at, at + 65_536));
    outgoing.end();
  });
}
