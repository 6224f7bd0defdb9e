import type { IncomingMessage } from 'node:http';

const DRAIN_BYTES = 64 * 1024 * 1024;

/**
 * Reads on and throws away what is left of a body after the answer is decided: most clients read the answer only when they have
 * sent everything, and the next request on the connection comes after it. Beyond 64 MiB the connection is cut instead.
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
