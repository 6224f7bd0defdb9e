import {
  DEFAULT_DOCUMENT_LIMITS,
  type DocumentLimits,
  type OperationPlan,
  type Variables,
} from '@reelgraph/sql-planner';

/** Characters of a document per point, beyond the free ones: reading and checking them is work even with a cache. */
const DOCUMENT_CHARACTERS_PER_POINT = 1_024;
/** Bytes of variables per point, likewise. */
const VARIABLES_BYTES_PER_POINT = 4_096;

/** Free list entries of a mutation. */
const FREE_ENTRIES = 10;
/** Maximum depth at which lists are counted: `input.items`, and lists in its entries. */
const LIST_LEVELS = 6;

/** Points for bulk mutations: 1 per list entry in the arguments beyond the first ten. */
export function listPoints(args: unknown): number {
  return Math.max(0, entriesIn(args, LIST_LEVELS) - FREE_ENTRIES);
}

function entriesIn(value: unknown, levels: number): number {
  if (typeof value !== 'object' || value === null || levels === 0) return 0;
  let entries = Array.isArray(value) ? value.length : 0;
  for (const inner of Object.values(value)) entries += entriesIn(inner, levels - 1);
  return entries;
}

/**
 * Points for the lists in the arguments of an operation's mutations. Invalid arguments are free: the command refuses
 * them.
 */
export function mutationPoints({ roots }: OperationPlan, variables: Variables): number {
  let points = 0;
  for (const root of roots) {
    if (root.kind !== 'mutation') continue;
    try {
      points += listPoints(root.args(variables));
    } catch {}
  }
  return points;
}

/** A list in arguments. */
interface ArgumentList {
  /** Its place, such as input.keywords. */
  readonly path: string;
  readonly entries: number;
}

/** The longest list in the arguments of an operation's mutations; null without one. */
export function longestList({ roots }: OperationPlan, variables: Variables): ArgumentList | null {
  const found: ArgumentList[] = [];
  for (const root of roots) {
    if (root.kind !== 'mutation') continue;
    try {
      found.push(...listsIn(root.args(variables), '', LIST_LEVELS));
    } catch {}
  }
  return found.sort((one, other) => other.entries - one.entries)[0] ?? null;
}

function listsIn(value: unknown, path: string, levels: number): ArgumentList[] {
  if (typeof value !== 'object' || value === null || levels === 0) return [];
  if (Array.isArray(value)) {
    const inner = value.flatMap((entry, index) => listsIn(entry, `${path}.${index}`, levels - 1));
    return [{ path, entries: value.length }, ...inner];
  }
  return Object.entries(value).flatMap(([name, inner]) =>
    listsIn(inner, path === '' ? name : `${path}.${name}`, levels - 1),
  );
}

/** The size of a received request. */
interface RequestSize {
  readonly query?: string | undefined;
  readonly documentId?: string | undefined;
  readonly bytes?: number | undefined;
}

/**
 * Points for the text of a request: 1 per KiB of the document beyond the first, 1 per 4 KiB of variables beyond the
 * first 4.
 */
export function requestPoints({ query, documentId, bytes = 0 }: RequestSize): number {
  const characters = documentId === undefined ? (query?.length ?? 0) : 0;
  const document = Math.max(0, Math.ceil(characters / DOCUMENT_CHARACTERS_PER_POINT) - 1);
  return document + Math.max(0, Math.ceil((bytes - characters) / VARIABLES_BYTES_PER_POINT) - 1);
}

/**
 * Limits of operations and accounts. The planner computes the cost of an operation; the text of the request and long
 * lists are charged on top.
 */
export interface Limits extends DocumentLimits {
  /** Points of one operation. */
  readonly maxCost: number;
  /** Capacity of an account's bucket in points, and its refill per second. */
  readonly bucketCapacity: number;
  readonly bucketRefillPerSecond: number;
  /** Time limit of an operation. */
  readonly timeoutMs: number;
}

export const DEFAULT_LIMITS: Limits = {
  ...DEFAULT_DOCUMENT_LIMITS,
  maxCost: 1_000,
  bucketCapacity: 2_000,
  bucketRefillPerSecond: 100,
  timeoutMs: 10_000,
};
