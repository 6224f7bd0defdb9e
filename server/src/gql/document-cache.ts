import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type OperationTypeNode,
  parse,
  validate,
} from 'graphql';
import type { Access } from '../kernel/permissions.ts';
import type { Limits } from './cost.ts';
import { documentError, documentErrorOf, type Faults, MAX_ERRORS, sourceOf } from './errors/render-errors.ts';
import { Lru } from './lru.ts';
import { measureDocument } from './measure-document.ts';
import { analyse, type ShapingVariable } from './plan/shaping.ts';
import { type CoercedVariables, compileVariables } from './variables.ts';
import { Variant } from './variant.ts';

/** An operation of a document that passed every check. */
export class Operation {
  readonly node: OperationDefinitionNode;
  readonly kind: OperationTypeNode;
  readonly name: string;
  /** What each root field asks for. */
  readonly accesses: readonly Access[];
  /** Variables whose values decide which SQL is sent. */
  readonly shaping: readonly ShapingVariable[];
  /** How often it asks for the schema. */
  readonly introspections: number;
  /** Coerces the variables as they were sent. */
  readonly coerce: (raw: Readonly<Record<string, unknown>>) => CoercedVariables;
  readonly #document: DocumentNode;
  readonly #schema: GraphQLSchema;
  readonly #variants: Lru<string, Variant>;
  readonly #prefix: string;
  /** The variant of an operation without conditional parts. */
  #only: Variant | undefined;

  constructor(
    schema: GraphQLSchema,
    document: DocumentNode,
    node: OperationDefinitionNode,
    variants: Lru<string, Variant>,
    prefix: string,
  ) {
    this.node = node;
    this.kind = node.operation;
    this.name = node.name?.value ?? '';
    this.#schema = schema;
    this.#document = document;
    this.#variants = variants;
    this.#prefix = `${prefix}|${this.name}|`;
    this.coerce = compileVariables(schema, node.variableDefinitions ?? []);
    const analysis = analyse(schema, document, node);
    this.accesses = analysis.accesses;
    this.shaping = analysis.variables;
    this.introspections = analysis.introspections;
  }

  /** The operation with its @include and @skip decided. */
  variant(variables: Readonly<Record<string, unknown>>): Variant {
    if (this.#only) return this.#only;
    const deciding = this.shaping.filter((variable) => variable.decides);
    if (deciding.length === 0) {
      this.#only = new Variant(this.#schema, this.#document, this.node, {}, this.introspections > 0);
      return this.#only;
    }
    const decisions = Object.fromEntries(deciding.map(({ name }) => [name, variables[name] === true]));
    const key = this.#prefix + deciding.map(({ name }) => (decisions[name] ? '1' : '0')).join('');
    const known = this.#variants.get(key);
    if (known) return known;
    const variant = new Variant(this.#schema, this.#document, this.node, decisions, this.introspections > 0);
    this.#variants.set(key, variant);
    return variant;
  }
}

export type Lookup = { kind: 'operation'; operation: Operation } | { kind: 'invalid'; faults: Faults };

interface Entry {
  readonly operations: ReadonlyMap<string, Operation>;
  readonly faults: Faults | null;
}

const MAX_DOCUMENTS = 1_000;
/** Documents that were met once are kept apart: those that vary displace each other and nothing else. */
const MAX_FRESH = 100;
const MAX_VARIANTS = 1_000;
/** Longer documents are checked each time instead of being kept. */
const MAX_CACHED_LENGTH = 20_000;

/** Documents that were parsed, measured and validated, by their text. Bounded: varying documents only cost their own time. */
export class DocumentCache {
  readonly #schema: GraphQLSchema;
  readonly #limits: Limits;
  readonly #entries = new Lru<string, Entry>(MAX_DOCUMENTS);
  readonly #fresh = new Lru<string, Entry>(MAX_FRESH);
  readonly #variants = new Lru<string, Variant>(MAX_VARIANTS);
  #serial = 0;

  constructor(schema: GraphQLSchema, limits: Limits) {
    this.#schema = schema;
    this.#limits = limits;
  }

  get size(): number {
    return this.#entries.size + this.#fresh.size;
  }

  find(text: string, operationName: string | undefined): Lookup {
    const entry = this.#entries.get(text) ?? this.#metAgain(text) ?? this.#met(text);
    if (entry.faults) return { kind: 'invalid', faults: entry.faults };
    const lookup = choose(entry.operations, operationName);
    if (lookup.kind === 'operation' && !this.#schema.getRootType(lookup.operation.kind)) {
      return invalid(documentError(`The schema has no ${lookup.operation.kind}.`));
    }
    return lookup;
  }

  #metAgain(text: string): Entry | undefined {
    const entry = this.#fresh.get(text);
    if (entry) {
      this.#fresh.delete(text);
      this.#entries.set(text, entry);
    }
    return entry;
  }

  #met(text: string): Entry {
    const entry = this.#read(text);
    if (text.length <= MAX_CACHED_LENGTH) this.#fresh.set(text, entry);
    return entry;
  }

  #read(text: string): Entry {
    if (text.length > this.#limits.maxLength) {
      return refused([
        documentError(`The document has ${text.length} characters; at most ${this.#limits.maxLength} are allowed.`, 'length'),
      ]);
    }
    let document: DocumentNode;
    try {
      document = parse(sourceOf(text), { maxTokens: this.#limits.maxTokens });
    } catch (error) {
      return refused([this.#unreadable(error)]);
    }
    const measured = measureDocument(document, this.#limits);
    if (measured.length > 0) return refused(measured);
    const errors = this.#validate(document, true);
    // The text is kept anyway, the syntax tree would be many times as large.
    if (errors.length > 0) return refused(errors, () => this.#validate(parse(sourceOf(text)), false).map(documentErrorOf));
    const operations = new Map<string, Operation>();
    this.#serial += 1;
    for (const definition of document.definitions) {
      if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
      const operation = new Operation(this.#schema, document, definition, this.#variants, String(this.#serial));
      operations.set(operation.name, operation);
    }
    return { operations, faults: null };
  }

  #validate(document: DocumentNode, hideSuggestions: boolean): readonly GraphQLError[] {
    // Beyond its limit graphql-js adds an error that says so.
    return validate(this.#schema, document, undefined, { maxErrors: MAX_ERRORS, hideSuggestions }).slice(0, MAX_ERRORS);
  }

  #unreadable(error: unknown): GraphQLError {
    if (!(error instanceof GraphQLError)) return documentError('The document cannot be read.');
    // The parser says it in words only.
    if (!/^Syntax Error: Document contains more tha[nt] \d+ tokens\./.test(error.message)) return error;
    return documentError(`The document has more than ${this.#limits.maxTokens} tokens; no more are allowed.`, 'tokens');
  }
}

function refused(errors: readonly GraphQLError[], suggesting?: Faults['suggesting']): Entry {
  return { operations: new Map(), faults: { errors: errors.map(documentErrorOf), suggesting } };
}

function invalid(error: GraphQLError): Lookup {
  return { kind: 'invalid', faults: { errors: [error] } };
}

function choose(operations: ReadonlyMap<string, Operation>, name: string | undefined): Lookup {
  if (name) {
    const operation = operations.get(name);
    return operation
      ? { kind: 'operation', operation }
      : invalid(documentError(`The document has no operation named "${name}".`, 'operationName'));
  }
  const [operation] = operations.values();
  if (!operation) return invalid(documentError('The document has no operation.'));
  if (operations.size > 1)
    return invalid(documentError('The document has several operations; say which with operationName.', 'operationName'));
  return { kind: 'operation', operation };
}
