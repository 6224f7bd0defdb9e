import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../server/src/testing/until.ts';

const EXAMPLE = join(import.meta.dirname, '../../deploy/proxies/haproxy.cfg');

/** A running HAProxy. */
export interface RunningProxy {
  readonly url: string;
  end(): Promise<void>;
}

/**
 * Starts HAProxy with the example of deploy/proxies, without TLS, on this port of the machine and in front of these
 * ports.
 */
export async function startProxy(folder: string, port: number, servers: readonly number[]): Promise<RunningProxy> {
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, configOf(readFileSync(EXAMPLE, 'utf8'), port, servers));
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  const url = `http://127.0.0.1:${port}`;
  await until(
    async () => {
      if (child.exitCode !== null) throw new Error(`HAProxy ended with ${child.exitCode}:\n${output}`);
      return (await fetch(`${url}/healthz`).catch(() => null))?.status === 200;
    },
    () => `HAProxy reaches no server:\n${output}`,
  );
  return { url, end: () => end(child) };
}

function configOf(example: string, port: number, servers: readonly number[]): string {
  const lines = example.split('\n').flatMap((line) => {
    if (/^\s*(?:bind :443|http-request redirect|server )/.test(line)) return [];
    return line.trim() === 'bind :80' ? [`  bind 127.0.0.1:${port}`] : [line];
  });
  return [...lines, ...servers.map((each, at) => `  server api${at + 1} 127.0.0.1:${each}`), ''].join('\n');
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGTERM');
  await closed;
}
