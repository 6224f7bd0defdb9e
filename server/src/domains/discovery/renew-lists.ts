import type { Platform } from '../../platform/platform.ts';
import { renewFigures, renewTrends } from './renewal.store.ts';

const EVERY_MS = 120_000;

type Needs = Pick<Platform, 'db' | 'clock' | 'log'>;

/** Brings what lists are sorted by up to date: views, likes and trends. Repeating it changes nothing. */
export async function renewLists({ db, clock }: Pick<Needs, 'db' | 'clock'>): Promise<void> {
  await renewFigures(db);
  await renewTrends(db, new Date(clock.now()).toISOString().slice(0, 10));
}

export interface RenewalSchedule {
  start(): void;
  /** Waits for the renewal in progress. */
  stop(): Promise<void>;
}

/** Renews the lists every two minutes; any number of workers may keep a schedule. */
export function renewalSchedule(needs: Needs, everyMs: number = EVERY_MS): RenewalSchedule {
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> = Promise.resolve();
  let stopped = false;

  const renew = async (): Promise<void> => {
    try {
      await renewLists(needs);
    } catch (error) {
      needs.log.warn({ error }, 'lists cannot be renewed, will be tried again');
    }
  };
  const next = (): void => {
    if (stopped) return;
    running = renew();
    void running.then(() => {
      if (!stopped) timer = setTimeout(next, everyMs);
    });
  };
  return {
    start: next,
    async stop() {
      stopped = true;
      if (timer) clearTimeout(timer);
      await running;
    },
  };
}
