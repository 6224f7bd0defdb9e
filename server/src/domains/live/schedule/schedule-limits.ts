/** An encoder takes a scheduled broadcast from so long before its time on, */
export const EARLY_MS = 30 * 60_000;
/** until so long after it, which is when it counts as missed. */
export const LATE_MS = 6 * 3_600_000;
/** How far ahead a broadcast can be scheduled. */
export const MAX_AHEAD_MS = 366 * 86_400_000;
/** Broadcasts of one live input that may be scheduled at the same time. */
export const MAX_SCHEDULED = 50;
