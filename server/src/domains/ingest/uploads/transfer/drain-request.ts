import type { IncomingMessage } from 'node:http';

const DRAIN_BYTES = 64 * 1024 * 1024;

/**
 * Reads and discards the rest of a body after the response is decided: most clients read the response only after
 * sending everything, and the next request on the connection follows it. Beyond 64 MiB the connection is closed
 * instead.
 */
export function drain(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  let left = DRAIN_BYTES;
  request.unpipe();
  request.removeAllListeners('data');
  request.on('error', () => {});
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) request.destroy();
  });
  request.resume();
}
