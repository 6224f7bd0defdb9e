import type { Platform } from '../../../platform/platform.ts';
import { type Repeated, repeat } from '../../../platform/repeat.ts';
import { findRises } from './find-rises.ts';
import { makeForecasts } from './make-forecasts.ts';
import { trainForecastIfDue } from './train-forecast-model.ts';

const EVERY_MS = 1_800_000;

/** Trains every day, makes forecasts and compares them with the views; any number of workers may run it. */
export function forecastSchedule(needs: Pick<Platform, 'db' | 'clock' | 'log'>): Repeated {
  const stopping = new AbortController();
  const schedule = repeat(needs.log, 'forecasts could not be made, will be retried', EVERY_MS, async () => {
    await trainForecastIfDue(needs, stopping.signal);
    const more = [await makeForecasts(needs), await findRises(needs)];
    return more.includes(true);
  });
  return {
    start: schedule.start,
    stop() {
      // A training takes a minute; it is repeated after an hour.
      stopping.abort();
      return schedule.stop();
    },
  };
}
