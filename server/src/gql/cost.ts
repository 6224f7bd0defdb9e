/**
 * What an operation costs, and the limits of documents and operations.
 *
 * Cost in points: a root field 1; an object read by identifier or through a to-one field 1; a connection 1, plus for
 * each entry of the page asked for 1 and what its node costs; a mutation 10 more; `__schema` or `__type` 10. Fields of an object are free,
 * unless they declare a cost of their own ({@link FieldCost}): it is charged each time the field is read, whatever it finds.
 * The text of the request is charged by its size ({@link requestPoints}), a mutation of many things by their number ({@link listPoints}).
 * `requested` is that sum for full pages; `actual` counts what the answer holds. `features(first: 20)` with each
 * channel: 1 + 1 + 20 x (1 + 1) = 42.
 */
export const MUTATION_COST = 10;
export const INTROSPECTION_COST = 10;
/** Characters of a document for each point, beyond those that every request has: reading and checking them is work even when it is cached. */
const DOCUMENT_CHARACTERS_PER_POINT = 1_024;
/** Bytes of variables for each point, likewise. */
const VARIABLES_BYTES_PER_POINT = 4_096;

/** Entries of lists that a mutation takes without charge. */
const FREE_ENTRIES = 10;
/** How deep in the arguments lists are counted: `input.items`, and lists in its entries. */
const LIST_LEVELS = 6;

/** Points for what a mutation is to do at once: 1 for each entry of lists in its arguments beyond the first ten. */
export function listPoints(args: unknown): number {
  return Math.max(0, entriesIn(args, LIST_LEVELS) - FREE_ENTRIES);
}

function entriesIn(value: unknown, levels: number): number {
  if (typeof value !== 'object' || value === null || levels === 0) return 0;
  let entries = Array.isArray(value) ? value.length : 0;
  for (const inner of Object.values(value)) entries += entriesIn(inner, levels - 1);
  return entries;
}

/** The size of a request as it came in. */
interface RequestSize {
  readonly query?: string | undefined;
  readonly documentId?: string | undefined;
  readonly bytes?: number | undefined;
}

/** Points for the text of a request: 1 for each KiB of the document beyond the first, 1 for each 4 KiB of variables beyond the first 4. */
export function requestPoints({ query, documentId, bytes = 0 }: RequestSize): number {
  const characters = documentId === undefined ? (query?.length ?? 0) : 0;
  const document = Math.max(0, Math.ceil(characters / DOCUMENT_CHARACTERS_PER_POINT) - 1);
  return document + Math.max(0, Math.ceil((bytes - characters) / VARIABLES_BYTES_PER_POINT) - 1);
}

export interface Limits {
  /** Fields below one another. */
  readonly maxDepth: number;
  /** Points of one operation. */
  readonly maxCost: number;
  readonly maxAliases: number;
  readonly maxRootFields: number;
  /** Fields of an operation once fragments are filled in. */
  readonly maxFields: number;
  /** Lexical tokens of a document. */
  readonly maxTokens: number;
  /** Characters of a document: comments and strings are a token however long they are. */
  readonly maxLength: number;
  /** Lists and objects in one another, in values and types. */
  readonly maxNesting: number;
  /** Directives at one place of a document. */
  readonly maxDirectives: number;
  readonly maxOperations: number;
  readonly maxFragments: number;
  /** Variables of an operation. */
  readonly maxVariables: number;
  /** Pairs of fields with the same response name that must be compared, because they are merged into one. */
  readonly maxMergedPairs: number;
  /** Points an account can spend at once, and how many come back each second. */
  readonly bucketCapacity: number;
  readonly bucketRefillPerSecond: number;
  /** Time an operation may take. */
  readonly timeoutMs: number;
}

export const DEFAULT_LIMITS: Limits = {
  maxDepth: 12,
  maxCost: 1_000,
  maxAliases: 30,
  maxRootFields: 10,
  maxFields: 1_000,
  maxTokens: 5_000,
  maxLength: 100_000,
  maxNesting: 20,
  maxDirectives: 5,
  maxOperations: 20,
  maxFragments: 100,
  maxVariables: 200,
  maxMergedPairs: 1_000,
  bucketCapacity: 2_000,
  bucketRefillPerSecond: 100,
  timeoutMs: 10_000,
};
