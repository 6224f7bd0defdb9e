import { GIVE_UP_MS } from './webhook-retries.ts';

/** The longest that a message waits for the retries of an earlier one about the same content. */
const LONGEST_WAIT_MS = 3_600_000;

/**
 * SQL: whether a delivery `d` of the webhook `w` has to wait for an earlier one about the same content at the time
 * `now`. It began to wait when it was created or scheduled again.
 */
export function hasToWait(w: string, d: string, now: string): string {
  const startedHoursLeft = (GIVE_UP_MS - LONGEST_WAIT_MS) / 3_600_000;
  return (
    `(${w}.delivery_order = 'PER_CONTENT' and ${d}.expires_at > ${now} + interval '${startedHoursLeft} hours' ` +
    `and ${waitsEarlier(w, d)})`
  );
}

/** SQL: whether an attempt of `d` comes out of order: an earlier one still waits, or a later one has arrived. */
export function isOutOfOrder(w: string, d: string): string {
  return (
    `(${w}.delivery_order = 'PER_CONTENT' and (${waitsEarlier(w, d)} or exists (select 1 from webhook_deliveries l ` +
    `where l.webhook_id = ${w}.id and l.about_id = ${d}.about_id and l.event_id > ${d}.event_id ` +
    `and l.status = 'DELIVERED')))`
  );
}

function waitsEarlier(w: string, d: string): string {
  return (
    `exists (select 1 from webhook_deliveries e where e.webhook_id = ${w}.id and e.about_id = ${d}.about_id ` +
    `and e.event_id < ${d}.event_id and e.status = 'PENDING')`
  );
}
