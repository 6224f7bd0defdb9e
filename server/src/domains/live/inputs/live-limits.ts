/** Live inputs that one channel may have. */
export const MAX_LIVE_INPUTS = 20;
