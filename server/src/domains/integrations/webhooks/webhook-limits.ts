/** Webhooks that one channel may have. */
export const MAX_WEBHOOKS = 20;
/** Events that one replay schedules at most. */
export const MAX_REPLAYED = 1_000;
