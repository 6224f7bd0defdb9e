/** States of a simulcast target, with their meanings. */
export const SIMULCAST_STATES = {
  IDLE: 'Nothing is published there: its live input is not live, or the target is switched off.',
  CONNECTING: 'The connection is being made, or the next keyframe is waited for.',
  LIVE: 'The broadcast is published there.',
  RETRYING: 'It could not be published, or is no longer; another attempt follows within 30 seconds.',
} as const;

export type SimulcastState = keyof typeof SIMULCAST_STATES;
