import { OTHER_IDS, RESPONSE_PARTS } from '../generated/caches.gen.ts';

const RESPONSE = new Set<string>(RESPONSE_PARTS);
const OTHERS = new Set<string>(OTHER_IDS);

/**
 * For Relay's `Environment`, which by default takes objects with the same id for one. Some types have the id of another
 * object: that of `Me` is the account's own channel. Their records are kept apart.
 */
export function getDataID(fields: { readonly id?: unknown }, typename: string): string | null {
  const { id } = fields;
  if (typeof id !== 'string' || RESPONSE.has(typename)) return null;
  return OTHERS.has(typename) ? `${typename}:${id}` : id;
}
