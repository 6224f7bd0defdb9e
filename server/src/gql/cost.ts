/**
 * Limits of a document and what an operation costs.
 *
 * Cost in points: a root field 1; an object read by identifier or through a to-one field 1; a connection 1, plus for
 * each entry of the page asked for 1 and what its node costs; a mutation 10 more; `__schema` or `__type` 10. Fields of an object are free,
 * unless they declare a cost of their own ({@link FieldCost}): it is charged each time the field is read, whatever it finds.
 * The text of the request is charged by its size ({@link requestPoints}), a mutation of many things by their number ({@link listPoints}).
 * `requested` is that sum for full pages; `actual` counts what the answer holds. `features(first: 20)` with each
 * channel: 1 + 1 + 20 x (1 + 1) = 42.
 */
import {
  type ASTNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLError,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  visit,
} from 'graphql';
import { documentFault } from './errors.ts';

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

interface Measure {
  depth: number;
  fields: number;
  roots: number;
}

/** Faults of a parsed document against the limits that need no schema; run before validation, which is dearer. */
export function measureDocument(document: DocumentNode, limits: Limits): GraphQLError[] {
  const fault = faultOfDocument(document, limits);
  if (fault) return [fault];
  const measurer = new Measurer(document);
  let pairs = 0;
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const found = faultOf(definition, measurer.operation(definition), limits);
    if (found) return [found];
    // Validation compares fields of the same response name pair by pair, which is quadratic (GraphQL section 5.3.2).
    pairs += measurer.mergedPairs(definition, limits);
    if (pairs > limits.maxMergedPairs)
      return [
        documentFault(`More than ${limits.maxMergedPairs} pairs of fields with the same name would be merged.`, 'merging', definition),
      ];
  }
  return [];
}

/** What is too many of in the document as a whole. */
function faultOfDocument(document: DocumentNode, limits: Limits): GraphQLError | null {
  const found = { aliases: 0, operations: 0, fragments: 0 };
  let crowded: ASTNode | undefined;
  let nested: ASTNode | undefined;
  let levels = 0;
  visit(document, {
    enter(node) {
      if (NESTING.has(node.kind) && ++levels > limits.maxNesting) nested ??= node;
      if (node.kind === Kind.FIELD && node.alias) found.aliases += 1;
      else if (node.kind === Kind.OPERATION_DEFINITION) found.operations += 1;
      else if (node.kind === Kind.FRAGMENT_DEFINITION) found.fragments += 1;
      if ('directives' in node && (node.directives?.length ?? 0) > limits.maxDirectives) crowded ??= node;
    },
    leave(node) {
      if (NESTING.has(node.kind)) levels -= 1;
    },
  });
  const most = { aliases: limits.maxAliases, operations: limits.maxOperations, fragments: limits.maxFragments };
  for (const what of ['aliases', 'operations', 'fragments'] as const)
    if (found[what] > most[what]) return documentFault(`The document has ${found[what]} ${what}; at most ${most[what]} are allowed.`, what);
  if (crowded) return documentFault(`There are more than ${limits.maxDirectives} directives at one place.`, 'directives', crowded);
  if (nested) return documentFault(`Lists and objects are nested more than ${limits.maxNesting} levels deep.`, 'nesting', nested);
  return null;
}

/** Parts of a document that hold others of their kind, besides selections. */
const NESTING: ReadonlySet<string> = new Set([Kind.LIST, Kind.OBJECT, Kind.LIST_TYPE]);

function faultOf(operation: OperationDefinitionNode, { depth, roots, fields }: Measure, limits: Limits): GraphQLError | null {
  const { maxDepth, maxRootFields, maxFields, maxVariables } = limits;
  const variables = operation.variableDefinitions?.length ?? 0;
  if (variables > maxVariables)
    return documentFault(`The operation has ${variables} variables; at most ${maxVariables} are allowed.`, 'variables', operation);
  if (depth > maxDepth) return documentFault(`The operation is ${depth} fields deep; at most ${maxDepth} are allowed.`, 'depth', operation);
  if (roots > maxRootFields)
    return documentFault(`The operation has ${roots} root fields; at most ${maxRootFields} are allowed.`, 'rootFields', operation);
  if (fields > maxFields)
    return documentFault(`The operation selects ${fields} fields; at most ${maxFields} are allowed.`, 'fields', operation);
  return null;
}

/** Measures selections with fragments filled in; each fragment is measured once, however often it is spread. */
class Measurer {
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly #measured = new Map<string, Measure>();

  constructor(document: DocumentNode) {
    const fragments = document.definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
    this.#fragments = new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
  }

  operation(node: OperationDefinitionNode): Measure {
    return this.#set(node.selectionSet, new Set());
  }

  /** Pairs of fields with the same response name that are merged, on all levels, up to a little more than the limit. */
  mergedPairs(node: OperationDefinitionNode, { maxMergedPairs, maxFields }: Limits): number {
    let pairs = 0;
    let fields = 0;
    const count = (sets: readonly SelectionSetNode[]): void => {
      const byName = new Map<string, SelectionSetNode[][]>();
      for (const set of sets) this.#collect(set, new Set(), byName);
      for (const group of byName.values()) {
        pairs += (group.length * (group.length - 1)) / 2;
        fields += group.length;
        // More fields than were measured: a fragment spreads itself, which is validation's to report.
        if (pairs > maxMergedPairs || fields > maxFields) return;
        count(group.flat());
      }
    };
    count([node.selectionSet]);
    return pairs;
  }

  #collect(set: SelectionSetNode, open: ReadonlySet<string>, byName: Map<string, SelectionSetNode[][]>): void {
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) {
        const name = selection.alias?.value ?? selection.name.value;
        const group = byName.get(name) ?? [];
        group.push(selection.selectionSet ? [selection.selectionSet] : []);
        byName.set(name, group);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) this.#collect(selection.selectionSet, open, byName);
      else {
        const name = selection.name.value;
        const fragment = this.#fragments.get(name);
        if (fragment && !open.has(name)) this.#collect(fragment.selectionSet, new Set([...open, name]), byName);
      }
    }
  }

  #set(set: SelectionSetNode, open: ReadonlySet<string>): Measure {
    const sum: Measure = { depth: 0, fields: 0, roots: 0 };
    for (const selection of set.selections) {
      const part = this.#selection(selection, open);
      sum.depth = Math.max(sum.depth, part.depth);
      sum.fields += part.fields;
      sum.roots += part.roots;
    }
    return sum;
  }

  #selection(selection: SelectionSetNode['selections'][number], open: ReadonlySet<string>): Measure {
    if (selection.kind === Kind.INLINE_FRAGMENT) return this.#set(selection.selectionSet, open);
    if (selection.kind === Kind.FRAGMENT_SPREAD) return this.#spread(selection.name.value, open);
    const below = selection.selectionSet ? this.#set(selection.selectionSet, open) : { depth: 0, fields: 0 };
    // Introspection is deep by nature and bounded by the number of fields.
    const depth = selection.name.value.startsWith('__') ? 0 : 1 + below.depth;
    return { depth, fields: 1 + below.fields, roots: 1 };
  }

  #spread(name: string, open: ReadonlySet<string>): Measure {
    const known = this.#measured.get(name);
    if (known) return known;
    const fragment = this.#fragments.get(name);
    // A fragment that is missing or spreads itself is validation's to report.
    if (!fragment || open.has(name)) return { depth: 0, fields: 0, roots: 0 };
    const measure = this.#set(fragment.selectionSet, new Set([...open, name]));
    this.#measured.set(name, measure);
    return measure;
  }
}
