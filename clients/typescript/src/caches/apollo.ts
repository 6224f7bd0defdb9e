import { LISTS_OF_PARTS, PAGED_LISTS, PARTS, POSSIBLE_TYPES, RESPONSE_PARTS } from '../generated/caches.gen.ts';
import { combinedLists } from './combine.ts';
import { mergePages } from './merge-pages.ts';
import { readPages } from './read-pages.ts';
import { keyOfList, type PolicyOptions, type StoredList } from './stored-list.ts';

/** How Apollo Client stores a field: a list with pages, or a list of parts. */
export interface FieldPolicy {
  readonly keyArgs?: (args: PolicyOptions['args']) => readonly string[] | false;
  // As in Apollo Client, whose cache has values of every type.
  // biome-ignore lint/suspicious/noExplicitAny: the type of the stored value depends on the field
  readonly read?: (existing: any, options: PolicyOptions) => any;
  // biome-ignore lint/suspicious/noExplicitAny: the same
  readonly merge: (existing: any, incoming: any, options: PolicyOptions) => any;
}

/** How Apollo Client stores the objects of a type. */
export interface TypePolicy {
  keyFields?: false;
  merge?: true;
  fields?: Record<string, FieldPolicy>;
}

/** Types by the interface that they implement, for `InMemoryCache`. */
export const possibleTypes: Record<string, string[]> = POSSIBLE_TYPES;

/**
 * Policies for `InMemoryCache`: parts of objects are merged, so that views with different selections share them, and
 * pages of a list are joined.
 */
export const typePolicies: Record<string, TypePolicy> = policies();

function policies(): Record<string, TypePolicy> {
  const all: Record<string, TypePolicy> = {};
  for (const type of [...PARTS, ...RESPONSE_PARTS]) all[type] = { keyFields: false, merge: true };
  const add = (type: string, fields: Record<string, FieldPolicy>) => {
    all[type] = { ...all[type], fields: { ...all[type]?.fields, ...fields } };
  };
  for (const [type, lists] of Object.entries(PAGED_LISTS))
    add(type, Object.fromEntries(Object.entries(lists).map(([field, args]) => [field, pages(args)])));
  for (const [type, fields] of Object.entries(LISTS_OF_PARTS))
    add(type, Object.fromEntries(fields.map((field) => [field, { merge: mergeParts }])));
  return all;
}

/**
 * Pagination in Relay's style: one list for each choice of these arguments, to which pages are added. Unlike
 * `relayStylePagination` of Apollo Client, a view that asks for more entries than are stored requests them, one that
 * asks for fewer does not take them from others, and fields of entries that only one of two views selects stay.
 */
function pages(args: readonly string[]): FieldPolicy {
  return {
    keyArgs: (given) => keyOfList(args, given),
    read: (existing: StoredList | null | undefined, options) => readPages(existing, options),
    merge: (existing: StoredList | null | undefined, incoming: StoredList | null, options) =>
      mergePages(existing, incoming, options),
  };
}

function mergeParts(existing: readonly unknown[] | null | undefined, incoming: readonly unknown[] | null) {
  return existing && incoming ? combinedLists(existing, incoming) : incoming;
}
