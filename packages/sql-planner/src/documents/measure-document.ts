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
import { limitError } from './document-errors.ts';
import type { DocumentLimits } from './document-limits.ts';

/** What to do about each limit. */
const FIXES = {
  aliases: 'Use fewer aliases, or split the document into several requests.',
  directives: 'Use one @include or @skip at a field; combine conditions into one variable.',
  nesting: 'Nest lists and objects less deeply; send them as variables of input types.',
  operations: 'Send only the operation that is run.',
  fragments: 'Send only the fragments that the operation uses, and put small ones into one.',
  variables: 'Put values that belong together into one variable of an input type or a list.',
  merging: 'Select each field once; fragments on the same object should not repeat the fields of others.',
  depth: 'Select fewer levels, and read the objects further down with node(id) in another request.',
  rootFields: 'Spread the root fields over several requests; nodes(ids) reads many objects as one root field.',
  fields: 'Select fewer fields, or split the operation into several requests.',
} as const;

function tooMany(message: string, kind: keyof typeof FIXES, node?: ASTNode): GraphQLError {
  return limitError(message, { suggestedFix: FIXES[kind] }, node);
}

interface Measure {
  depth: number;
  fields: number;
  roots: number;
}

/**
 * Errors of a parsed document against the limits that need no schema; looked for before validation, which costs more.
 */
export function measureDocument(document: DocumentNode, limits: DocumentLimits): GraphQLError[] {
  const error = documentLimitError(document, limits);
  if (error) return [error];
  const measurer = new Measurer(document);
  let pairs = 0;
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const found = operationLimitError(definition, measurer.operation(definition), limits);
    if (found) return [found];
    // Validation compares fields of the same response name pair by pair, which is quadratic (GraphQL section 5.3.2).
    pairs += measurer.mergedPairs(definition, limits);
    if (pairs > limits.maxMergedPairs)
      return [
        tooMany(
          `More than ${limits.maxMergedPairs} pairs of fields with the same name would be merged.`,
          'merging',
          definition,
        ),
      ];
  }
  return [];
}

/** What is too many of in the document as a whole. */
function documentLimitError(document: DocumentNode, limits: DocumentLimits): GraphQLError | null {
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
    if (found[what] > most[what])
      return tooMany(`The document has ${found[what]} ${what}; at most ${most[what]} are allowed.`, what);
  if (crowded)
    return tooMany(`There are more than ${limits.maxDirectives} directives at one place.`, 'directives', crowded);
  if (nested)
    return tooMany(`Lists and objects are nested more than ${limits.maxNesting} levels deep.`, 'nesting', nested);
  return null;
}

/** Parts of a document that hold others of their kind, besides selections. */
const NESTING: ReadonlySet<string> = new Set([Kind.LIST, Kind.OBJECT, Kind.LIST_TYPE]);

function operationLimitError(
  operation: OperationDefinitionNode,
  { depth, roots, fields }: Measure,
  limits: DocumentLimits,
): GraphQLError | null {
  const { maxDepth, maxRootFields, maxFields, maxVariables } = limits;
  const variables = operation.variableDefinitions?.length ?? 0;
  if (variables > maxVariables)
    return tooMany(
      `The operation has ${variables} variables; at most ${maxVariables} are allowed.`,
      'variables',
      operation,
    );
  if (depth > maxDepth)
    return tooMany(`The operation is ${depth} fields deep; at most ${maxDepth} are allowed.`, 'depth', operation);
  if (roots > maxRootFields)
    return tooMany(
      `The operation has ${roots} root fields; at most ${maxRootFields} are allowed.`,
      'rootFields',
      operation,
    );
  if (fields > maxFields)
    return tooMany(`The operation selects ${fields} fields; at most ${maxFields} are allowed.`, 'fields', operation);
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
  mergedPairs(node: OperationDefinitionNode, { maxMergedPairs, maxFields }: DocumentLimits): number {
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
