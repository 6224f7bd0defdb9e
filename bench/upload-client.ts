import { spawn } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { request } from 'node:http';
import { pipeline } from 'node:stream/promises';

/** A server, and an account on it. */
export interface Caller {
  readonly url: string;
  readonly key: string;
}

/** Sends the file with one PUT; returns when its last byte was handed to the connection. */
export async function put(url: string, file: string, size: number): Promise<number> {
  const sending = request(url, { method: 'PUT', headers: { 'Content-Length': size } });
  const answered = Promise.withResolvers<number>();
  sending.on('response', (response) => {
    response.resume();
    answered.resolve(response.statusCode ?? 0);
  });
  sending.on('error', answered.reject);
  await pipeline(createReadStream(file), sending);
  const lastByteAt = performance.now();
  const status = await answered.promise;
  if (status >= 300) throw new Error(`The upload was answered with ${status}.`);
  return lastByteAt;
}

/** The data of a GraphQL operation. */
export async function ask<Data>({ url, key }: Caller, query: string, variables: object): Promise<Data> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await response.json()) as { data?: Data; errors?: unknown };
  if (!data || errors) throw new Error(JSON.stringify(errors));
  return data;
}

/** Runs ffmpeg without a sandbox. */
export function ffmpeg(args: string[]): Promise<void> {
  return new Promise((done, fail) => {
    const child = spawn('ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    child.on('error', fail);
    child.on('close', (code) => (code === 0 ? done() : fail(new Error(`ffmpeg ended with ${code}`))));
  });
}
