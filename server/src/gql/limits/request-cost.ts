import {
  DEFAULT_DOCUMENT_LIMITS,
  type DocumentLimits,
  type OperationPlan,
  type Variables,
} from '@reelgraph/sql-planner';

/**
 * Characters of a document for each point, beyond those that every request has: reading and checking them is work even
 * when it is cached.
 */
const DOCUMENT_CHARACTERS_PER_POINT = 1_024;
/** Bytes of variables for each point, likewise. */
const VARIABLES_BYTES_PER_POINT = 4_096;

/** Entries of lists that a mutation takes without charge. */
const FREE_ENTRIES = 10;
/** How deep in the arguments lists are counted: `input.items`, and lists in its entries. */
const LIST_LEVELS = 6;

/** Points for what a mutation does at once: 1 for each entry of lists in its arguments beyond the first ten. */
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
 * Points for the lists in the arguments of an operation's mutations. Arguments that cannot be read are charged nothing:
 * the command refuses them.
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

/** The size of a request as it came in. */
interface RequestSize {
  readonly query?: string | undefined;
  readonly documentId?: string | undefined;
  readonly bytes?: number | undefined;
}

/**
 * Points for the text of a request: 1 for each KiB of the document beyond the first, 1 for each 4 KiB of variables
 * beyond the first 4.
 */
export function requestPoints({ query, documentId, bytes = 0 }: RequestSize): number {
  const characters = documentId === undefined ? (query?.length ?? 0) : 0;
  const document = Math.max(0, Math.ceil(characters / DOCUMENT_CHARACTERS_PER_POINT) - 1);
  return document + Math.max(0, Math.ceil((bytes - characters) / VARIABLES_BYTES_PER_POINT) - 1);
}

/**
 * Limits of operations and accounts. What an operation costs is counted by the planner; the text of the request and
 * long lists are charged besides.
 */
export interface Limits extends DocumentLimits {
  /** Points of one operation. */
  readonly maxCost: number;
  /** Points an account can spend at once, and how many come back each second. */
  readonly bucketCapacity: number;
  readonly bucketRefillPerSecond: number;
  /** Time an operation may take. */
  readonly timeoutMs: number;
}

export const DEFAULT_LIMITS: Limits = {
  ...DEFAULT_DOCUMENT_LIMITS,
  maxCost: 1_000,
  bucketCapacity: 2_000,
  bucketRefillPerSecond: 100,
  timeoutMs: 10_000,
};
