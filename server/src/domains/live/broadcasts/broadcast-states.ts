/**
 * States of a broadcast, with their meanings and the states that follow. `IDLE` is the state of an input that receives
 * nothing.
 */
export const BROADCAST_STATES = {
  IDLE: { is: 'No encoder is connected.', next: ['CONNECTED'] },
  SCHEDULED: { is: 'It waits for its time, and for an encoder.', next: ['CONNECTED', 'MISSED', 'CANCELED'] },
  MISSED: { is: 'It was scheduled, and no encoder came in time. It can be rescheduled.', next: ['SCHEDULED'] },
  CANCELED: {
    is: 'It was scheduled, and was canceled, or its live input was deleted. It can be rescheduled.',
    next: ['SCHEDULED'],
  },
  CONNECTED: {
    is: 'An encoder was accepted; viewers cannot play anything yet.',
    next: ['LIVE', 'IDLE', 'SCHEDULED'],
  },
  LIVE: { is: 'It is live.', next: ['RECONNECTING', 'ENDED'] },
  RECONNECTING: {
    is: 'The connection of the encoder was lost; it may continue until the reconnect window is over.',
    next: ['LIVE', 'ENDED'],
  },
  ENDED: { is: 'It has ended; its recording is being completed, or nothing is kept of it.', next: ['RECORDED'] },
  RECORDED: { is: 'It has ended, and what is kept of it is a video.', next: [] },
} as const satisfies Record<string, { readonly is: string; readonly next: readonly string[] }>;

export type BroadcastState = keyof typeof BROADCAST_STATES;

/** Why a broadcast ended, with the meanings. */
export const END_REASONS = {
  ENCODER_STOPPED: 'Its encoder said that nothing follows.',
  ENCODER_LOST: 'Its encoder did not come back within the reconnect window.',
  REQUESTED: 'Its channel ended it, by endBroadcast.',
  MINUTES_USED_UP: "The minutes of broadcasts per month in the plan of the channel's owner were used up.",
  REMOVED: 'Its live input or its stream was deleted, or taken down, or the account of the channel was suspended.',
} as const satisfies Record<string, string>;

export type EndReason = keyof typeof END_REASONS;

/** SQL: the states in which an input receives, or waits for its encoder. */
export const OPEN_STATES = `('CONNECTED', 'LIVE', 'RECONNECTING')`;

/** SQL: the states of broadcasts that are to take place, or were, and have not begun. */
export const UNBEGUN_STATES = `('SCHEDULED', 'MISSED', 'CANCELED')`;

/** Without a sign of life for so long, the process that received a broadcast is taken to be dead. */
export const DEAD_MS = 10_000;
