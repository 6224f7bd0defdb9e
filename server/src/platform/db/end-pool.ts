import type pg from 'pg';

/**
 * Ends a pool, without reports of lost connections from then on: `end` does not wait until idle connections are closed,
 * so a server that stops at the same time may still tell them.
 */
export function endPool(pool: pg.Pool): Promise<void> {
  pool.removeAllListeners('error');
  pool.on('error', () => {});
  return pool.end();
}
