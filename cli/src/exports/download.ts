import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { CliError } from '../errors.ts';

export interface Download {
  readonly totalBytes: number;
  /** The present address of the file; null when it is gone. */
  readonly address: () => Promise<string | null>;
  readonly signal: AbortSignal;
  readonly onProgress: (bytes: number) => void;
}

const MAX_FAILURES = 5;
const PAUSE_MS = 1_000;

/** Downloads a file to `path`, behind the bytes that are there. Broken connections are continued. */
export async function download(path: string, { totalBytes, address, signal, onProgress }: Download): Promise<void> {
  let failures = 0;
  for (let bytes = await sizeOf(path); ; ) {
    onProgress(bytes);
    if (bytes === totalBytes && totalBytes > 0) return;
    const url = await address();
    if (url === null) throw new CliError('The file of this export was deleted.', 'Request the export again.');
    await append(path, url, bytes, { signal, onProgress }).catch((error: unknown) => {
      if (signal.aborted || error instanceof CliError) throw error;
    });
    signal.throwIfAborted();
    const now = await sizeOf(path);
    if (now === totalBytes) return onProgress(now);
    failures = now > bytes ? 0 : failures + 1;
    bytes = now;
    if (failures >= MAX_FAILURES) throw new CliError('The file could not be downloaded.', 'Try again later.');
    await sleep(PAUSE_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

async function append(
  path: string,
  url: string,
  start: number,
  { signal, onProgress }: Pick<Download, 'signal' | 'onProgress'>,
): Promise<void> {
  const response = await fetch(url, { signal, headers: start > 0 ? { range: `bytes=${start}-` } : {} });
  if (!response.ok || !response.body) throw new Error(`status ${response.status}`);
  // The whole file instead of a part.
  const isRest = response.status === 206;
  let bytes = isRest ? start : 0;
  const counted = async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      onProgress(bytes);
      yield chunk;
    }
  };
  const body = Readable.fromWeb(response.body as never); // the types of Node and of the web differ
  await pipeline(body, counted, createWriteStream(path, { flags: isRest ? 'a' : 'w' }));
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}
