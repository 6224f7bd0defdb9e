import { PARTS, RESPONSE_PARTS, RESULTS } from '../generated/caches.gen.ts';

/**
 * Keys for `cacheExchange` of `@urql/exchange-graphcache`: objects without an identity of their own are stored with the
 * object that has them.
 */
export const keys: Record<string, () => null> = Object.fromEntries(
  [...PARTS, ...RESPONSE_PARTS, ...RESULTS].map((type) => [type, () => null]),
);
