/** Webhooks that one channel may have. */
export const MAX_WEBHOOKS = 20;
