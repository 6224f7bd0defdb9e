import { appendEvent } from '../../../platform/events/event-log.store.ts';
import type { Platform } from '../../../platform/platform.ts';
import { recordCheck, type UncheckedContent, uncheckedContents } from './forecasts.store.ts';

const BATCH = 200;
/** Fewer views in a day are noise. */
export const MIN_RISE_VIEWS = 20;

/**
 * Compares the last complete day of each content with the forecast that was made before it, and writes content.rising
 * for the first day of each rise; returns whether there may be more.
 */
export async function findRises({ db, clock }: Pick<Platform, 'db' | 'clock'>): Promise<boolean> {
  const unchecked = await uncheckedContents(db, new Date(clock.now()).toISOString(), BATCH);
  for (const content of unchecked) {
    const { contentId, channelId, day, band } = content;
    const views = content.views.find(([each]) => each === day)?.[1] ?? 0;
    const rising = views >= MIN_RISE_VIEWS && views > band[2];
    await db.transaction(async (tx) => {
      if (!(await recordCheck(tx, { contentId, day, rising })) || !rising || continuesRise(content)) return;
      const payload = { day, views, forecastP50: band[1], forecastP90: band[2] };
      await appendEvent(tx, { type: 'content.rising', channelId, subjectId: contentId, payload });
    });
  }
  return unchecked.length === BATCH;
}

/** Whether the day before was above its forecast, too. */
function continuesRise({ day, checkedDay, rising }: UncheckedContent): boolean {
  return rising === true && checkedDay === day - 1;
}
