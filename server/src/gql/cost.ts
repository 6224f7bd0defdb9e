/**
 * Limits of a document and what an operation costs.
 *
 * Cost in points: a root field 1; an object read by identifier or through a to-one field 1; a connection 1, plus for
 * each entry of the page asked for 1 and what its node costs; a mutation 10 more; `__schema` or `__type` 10. Fields of an object are free.
 * `requested` is that sum for full pages; `actual` counts what the answer holds. `features(first: 20)` with each
 * channel: 1 + 1 + 20 x (1 + 1) = 42.
 */
import {
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
  let aliases = 0;
  visit(document, {
    Field(node) {
      if (node.alias) aliases += 1;
    },
  });
  if (aliases > limits.maxAliases)
    return [documentFault(`The document has ${aliases} aliases; at most ${limits.maxAliases} are allowed.`, 'aliases')];
  const measurer = new Measurer(document);
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const fault = faultOf(definition, measurer.operation(definition), limits);
    if (fault) return [fault];
  }
  return [];
}

function faultOf(operation: OperationDefinitionNode, { depth, roots, fields }: Measure, limits: Limits): GraphQLError | null {
  const { maxDepth, maxRootFields, maxFields } = limits;
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
