/** Live inputs that one channel may have. */
export const MAX_LIVE_INPUTS = 20;
/** Simulcast targets that one live input may have, and all of a channel together. */
export const MAX_SIMULCAST_TARGETS = 10;
export const MAX_SIMULCAST_TARGETS_OF_CHANNEL = 50;
