import {
  type DocumentNode,
  GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parse,
  validate,
} from 'graphql';
import {
  type DocumentError,
  type DocumentErrors,
  documentErrorOf,
  limitError,
  MAX_ERRORS,
  sourceOf,
} from './document-errors.ts';
import type { DocumentLimits } from './document-limits.ts';
import { pathOfError } from './error-paths.ts';
import { Lru } from './lru.ts';
import { measureDocument } from './measure-document.ts';
import { Operation } from './operation.ts';
import { documentRules } from './variable-usages.ts';

export type Lookup =
  | { readonly kind: 'operation'; readonly operation: Operation }
  | { readonly kind: 'invalid'; readonly errors: DocumentErrors };

interface Entry {
  readonly operations: ReadonlyMap<string, Operation>;
  readonly errors: DocumentErrors | null;
}

const MAX_DOCUMENTS = 1_000;
/** Documents that were seen once are cached separately: varying documents displace only each other. */
const MAX_FRESH = 100;
/** Longer documents are checked each time instead of being kept. */
const MAX_CACHED_LENGTH = 20_000;

/**
 * Documents that were parsed, measured and validated, by their text. Bounded: varying documents only cost their own
 * time.
 */
export class DocumentCache {
  readonly #schema: GraphQLSchema;
  readonly #limits: DocumentLimits;
  readonly #entries = new Lru<string, Entry>(MAX_DOCUMENTS);
  readonly #fresh = new Lru<string, Entry>(MAX_FRESH);

  constructor(schema: GraphQLSchema, limits: DocumentLimits) {
    this.#schema = schema;
    this.#limits = limits;
  }

  get size(): number {
    return this.#entries.size + this.#fresh.size;
  }

  find(text: string, operationName: string | undefined): Lookup {
    const entry = this.#entries.get(text) ?? this.#seenOnce(text) ?? this.#seenFirst(text);
    return entry.errors ? { kind: 'invalid', errors: entry.errors } : choose(entry.operations, operationName);
  }

  #seenOnce(text: string): Entry | undefined {
    const entry = this.#fresh.get(text);
    if (entry) {
      this.#fresh.delete(text);
      this.#entries.set(text, entry);
    }
    return entry;
  }

  #seenFirst(text: string): Entry {
    const entry = this.#read(text);
    if (text.length <= MAX_CACHED_LENGTH) this.#fresh.set(text, entry);
    return entry;
  }

  #read(text: string): Entry {
    if (text.length > this.#limits.maxLength) {
      const message = `The document has ${text.length} characters; at most ${this.#limits.maxLength} are allowed.`;
      return refused([limitError(message, { suggestedFix: 'Send long texts as variables, and leave comments out.' })]);
    }
    let document: DocumentNode;
    try {
      document = parse(sourceOf(text), { maxTokens: this.#limits.maxTokens });
    } catch (error) {
      return refused([this.#unreadable(error)]);
    }
    const measured = measureDocument(document, this.#limits);
    if (measured.length > 0) return refused(measured, document);
    const { errors, usages } = this.#validate(document, true);
    // The text is kept anyway, the syntax tree would be many times as large.
    if (errors.length > 0)
      return refused(errors, document, () => {
        const again = parse(sourceOf(text));
        return locatedErrors(this.#validate(again, false).errors, again);
      });
    const operations = new Map<string, Operation>();
    for (const definition of document.definitions) {
      if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
      const rootType = this.#schema.getRootType(definition.operation);
      // Validation passes over root types that the schema lacks.
      if (!rootType) return refused([limitError(`The schema has no ${definition.operation}.`)]);
      const operation = new Operation(this.#schema, document, definition, { rootType, usages: usages.get(definition) });
      operations.set(operation.name, operation);
    }
    return { operations, errors: null };
  }

  #validate(document: DocumentNode, hideSuggestions: boolean) {
    const usages = new Map<OperationDefinitionNode, Map<string, Set<GraphQLInputType>>>();
    const options = { maxErrors: MAX_ERRORS, hideSuggestions };
    // Beyond its limit graphql-js adds an error that says so.
    const errors = validate(this.#schema, document, documentRules(usages), options).slice(0, MAX_ERRORS);
    return { errors, usages };
  }

  #unreadable(error: unknown): GraphQLError {
    if (!(error instanceof GraphQLError)) return limitError('The document cannot be read.');
    // The parser reports it only in its message.
    if (!/^Syntax Error: Document contains more tha[nt] \d+ tokens\./.test(error.message)) return error;
    return limitError(`The document has more than ${this.#limits.maxTokens} tokens; no more are allowed.`, {
      suggestedFix: 'Shorten the document: send values as variables and split it into several requests.',
    });
  }
}

function refused(
  errors: readonly GraphQLError[],
  document?: DocumentNode,
  suggesting?: DocumentErrors['suggesting'],
): Entry {
  return { operations: new Map(), errors: { errors: locatedErrors(errors, document), suggesting } };
}

function locatedErrors(errors: readonly GraphQLError[], document: DocumentNode | undefined): DocumentError[] {
  return errors.map((error) => documentErrorOf(error, document && pathOfError(document, error)));
}

const NAME_AN_OPERATION = {
  suggestedFix: 'Send the name of one of the operations in the document.',
  field: 'operationName',
};

function choose(operations: ReadonlyMap<string, Operation>, name: string | undefined): Lookup {
  const [first] = operations.values();
  const operation = name ? operations.get(name) : first;
  if (operation && (name || operations.size === 1)) return { kind: 'operation', operation };
  if (name) return invalid(limitError(`The document has no operation named "${name}".`, NAME_AN_OPERATION));
  if (!first) return invalid(limitError('The document has no operation.'));
  return invalid(limitError('The document has several operations; say which with operationName.', NAME_AN_OPERATION));
}

function invalid(error: GraphQLError): Lookup {
  return { kind: 'invalid', errors: { errors: [documentErrorOf(error)] } };
}
