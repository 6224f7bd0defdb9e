import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  visit,
} from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import { jitSchema } from './jit-schema.ts';
import { keepPropertyKey, propertyKey } from './plan/property-key.ts';
import type { RequestContext } from './request-context.ts';

type Executor = (run: RequestContext, variables: Readonly<Record<string, unknown>>) => ExecutionResult | Promise<ExecutionResult>;

/** How often a document must be met before it is compiled: compiling costs more than running it once. */
const COMPILE_AT_USE = 2;

/** Identity, for scalars whose values come from the database in their final form. */
const asIs = (value: unknown) => value;

/** An operation with @include and @skip decided, and the executor for it: interpreted once, compiled from then on. */
export class Variant {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly serial: number;
  readonly #document: DocumentNode;
  readonly #introspects: boolean;
  #uses = 0;
  #compiled: Executor | undefined;
  static #serials = 0;

  constructor(
    schema: GraphQLSchema,
    document: DocumentNode,
    operation: OperationDefinitionNode,
    decisions: Readonly<Record<string, boolean>>,
    introspects: boolean,
  ) {
    this.schema = schema;
    this.#introspects = introspects;
    this.#document = decide(
      {
        kind: Kind.DOCUMENT,
        definitions: document.definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION || definition === operation),
      },
      decisions,
    );
    const fragments = new Map<string, FragmentDefinitionNode>();
    let decided = operation;
    for (const definition of this.#document.definitions) {
      if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
      else if (definition.kind === Kind.OPERATION_DEFINITION) decided = definition;
    }
    this.operation = decided;
    this.fragments = fragments;
    Variant.#serials += 1;
    this.serial = Variant.#serials;
  }

  /** Builds the answer from the results already in `run.roots`. `variables` are as sent. */
  execute(run: RequestContext, variables: Readonly<Record<string, unknown>>): ExecutionResult | Promise<ExecutionResult> {
    if (this.#compiled) return this.#compiled(run, variables);
    this.#uses += 1;
    if (this.#uses < COMPILE_AT_USE) return this.#interpret(run, variables);
    this.#compiled = this.#compile();
    return this.#compiled(run, variables);
  }

  get compiled(): boolean {
    return this.#compiled !== undefined;
  }

  #interpret(run: RequestContext, variables: Readonly<Record<string, unknown>>): ExecutionResult | Promise<ExecutionResult> {
    return execute({ schema: this.schema, document: this.#document, rootValue: {}, contextValue: run, variableValues: variables });
  }

  #compile(): Executor {
    const [schema, document] = this.#introspects
      ? [this.schema, this.#document]
      : [jitSchema(this.schema), withoutArguments(this.#document)];
    const compiled = compileQuery(schema, document, this.operation.name?.value, {
      disablingCapturingStackErrors: true,
      disableLeafSerialization: true,
      customSerializers: { DID: asIs, DateTime: asIs, BigInt: asIs, JSON: asIs },
    });
    // A document that cannot be compiled is still answered, only more slowly.
    if (!isCompiledQuery(compiled)) return (run, variables) => this.#interpret(run, variables);
    if (this.#introspects) return (run, variables) => compiled.query({}, run, variables);
    return (run) => compiled.query({}, run, NO_VARIABLES);
  }
}

const NO_VARIABLES = Object.freeze({});

/** The plan has read the arguments; without them the compiled executor has no variables to coerce a second time. */
function withoutArguments(document: DocumentNode): DocumentNode {
  return visit(document, {
    OperationDefinition: { leave: (node) => ({ ...node, variableDefinitions: [] }) },
    Field: {
      leave(node) {
        if (!node.arguments || node.arguments.length === 0) return undefined;
        const stripped = { ...node, arguments: [] };
        keepPropertyKey(stripped, propertyKey(node));
        return stripped;
      },
    },
  });
}

/**
 * Drops what the directives leave out, and the directives. The compiled executor shares nodes of fragments between
 * their uses, so conditions on one use would reach the others: it must not see any.
 */
function decide(document: DocumentNode, decisions: Readonly<Record<string, boolean>>): DocumentNode {
  const keeps = (node: SelectionNode): boolean =>
    (node.directives ?? []).every((directive) => {
      const value = directive.arguments?.find((argument) => argument.name.value === 'if')?.value;
      const truth = value?.kind === Kind.VARIABLE ? decisions[value.name.value] === true : value?.kind === Kind.BOOLEAN && value.value;
      return directive.name.value === 'include' ? truth : directive.name.value === 'skip' ? !truth : true;
    });
  const enter = (node: SelectionNode) => {
    if (!keeps(node)) return null;
    return node.directives && node.directives.length > 0 ? { ...node, directives: [] } : undefined;
  };
  return visit(document, { Field: { enter }, FragmentSpread: { enter }, InlineFragment: { enter } });
}
