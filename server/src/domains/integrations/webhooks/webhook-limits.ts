/** Webhooks that one channel may have. */
export const MAX_WEBHOOKS = 20;
/** Characters of a webhook's description. */
export const MAX_DESCRIPTION = 300;
