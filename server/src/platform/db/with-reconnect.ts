import { setTimeout as sleep } from 'node:timers/promises';
import { translate } from '../../kernel/database-errors.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Logger } from '../log.ts';

const PAUSE_MS = 200;

export interface ReconnectOptions {
  readonly log: Pick<Logger, 'warn'>;
  /** Name of the step for the log. */
  readonly step: string;
  /** How long the database may be unavailable, in milliseconds. */
  readonly patienceMs?: number;
}

/**
 * Runs a step of the startup, and repeats it from its beginning while the connection to the database is lost or
 * refused: the server may be restarting. The step must be safe to repeat after a partial run. Other errors, and the
 * last one when `patienceMs` (a minute) is over, are thrown.
 */
export async function withReconnect<T>(
  run: () => Promise<T>,
  { log, step, patienceMs = 60_000 }: ReconnectOptions,
): Promise<T> {
  const givenUpMs = performance.now() + patienceMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (!isConnectionLost(error) || performance.now() > givenUpMs) throw error;
      if (attempt === 1) log.warn({ step, error }, 'the database became unavailable during startup, waiting for it');
      await sleep(PAUSE_MS);
    }
  }
}

/** Whether the error or one of its causes is a failed or lost connection to the database. */
function isConnectionLost(error: unknown): boolean {
  const translated = translate(error);
  if (translated instanceof AppError && translated.code === 'SERVICE_UNAVAILABLE') return true;
  return error instanceof Error && error.cause !== undefined && isConnectionLost(error.cause);
}
