import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../kernel/errors.ts';
import type { Logger } from '../log.ts';
import { translate } from './pipelined-connection.ts';

const PAUSE_MS = 200;

export interface ReconnectOptions {
  readonly log: Pick<Logger, 'warn'>;
  /** What the log says was interrupted. */
  readonly step: string;
  /** How long the database may stay away, in milliseconds. */
  readonly patienceMs?: number;
}

/**
 * Runs a step of the start, and runs it again from its beginning while the connection to the database is lost or refused during it: the
 * server may be restarting. The step must tolerate its own half-done work. Other errors, and the last one when `patienceMs` (a minute) is
 * over, are thrown.
 */
export async function withReconnect<T>(run: () => Promise<T>, { log, step, patienceMs = 60_000 }: ReconnectOptions): Promise<T> {
  const givenUpMs = performance.now() + patienceMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (!isConnectionLost(error) || performance.now() > givenUpMs) throw error;
      if (attempt === 1) log.warn({ step, error }, 'the database went away during the start, waiting for it');
      await sleep(PAUSE_MS);
    }
  }
}

/** Whether the error, or one that it was made of, says that the database could not be reached or went away. */
function isConnectionLost(error: unknown): boolean {
  const translated = translate(error);
  if (translated instanceof AppError && translated.code === 'SERVICE_UNAVAILABLE') return true;
  return error instanceof Error && error.cause !== undefined && isConnectionLost(error.cause);
}
