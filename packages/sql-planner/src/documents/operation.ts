import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type OperationTypeNode,
} from 'graphql';
import type { Access } from '../register.ts';
import type { DocumentError, DocumentErrors } from './document-errors.ts';
import { pathOfVariable } from './error-paths.ts';
import { analyse, type DeprecatedUse, type ShapingVariable } from './plan-key.ts';
import type { Variables } from './values.ts';
import type { VariableUsages } from './variable-usages.ts';
import { type CoercedVariables, compileVariables } from './variables.ts';

let serials = 0;

/** An operation of a document that passed every check. */
export class Operation {
  readonly schema: GraphQLSchema;
  readonly node: OperationDefinitionNode;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly rootType: GraphQLObjectType;
  readonly kind: OperationTypeNode;
  readonly name: string;
  /** Identifies the operation. */
  readonly serial: number;
  /** Required access of each root field. */
  readonly accesses: readonly Access[];
  /** Whether one of its fields is `secret`. */
  readonly secret: boolean;
  /** Variables whose values decide which SQL is sent. */
  readonly shaping: readonly ShapingVariable[];
  /** Number of its fields that read the schema. */
  readonly introspections: number;
  /** The deprecated elements that its text uses. */
  readonly deprecations: readonly DeprecatedUse[];
  /** Coerces raw variables. */
  readonly coerce: (raw: Variables) => CoercedVariables;
  readonly document: DocumentNode;

  constructor(
    schema: GraphQLSchema,
    document: DocumentNode,
    node: OperationDefinitionNode,
    { rootType, usages }: { rootType: GraphQLObjectType; usages: VariableUsages | undefined },
  ) {
    this.schema = schema;
    this.node = node;
    this.rootType = rootType;
    this.kind = node.operation;
    this.name = node.name?.value ?? '';
    serials += 1;
    this.serial = serials;
    this.document = document;
    const fragments = document.definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
    this.fragments = new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
    const coerce = compileVariables(schema, node.variableDefinitions ?? [], usages);
    this.coerce = (raw) => {
      const coerced = coerce(raw);
      return coerced.errors ? { ...coerced, errors: this.#located(coerced.errors) } : coerced;
    };
    const analysis = analyse(schema, document, node);
    this.accesses = analysis.accesses;
    this.secret = analysis.secret;
    this.shaping = analysis.variables;
    this.introspections = analysis.introspections;
    this.deprecations = analysis.deprecations;
  }

  /** Errors of variables, with the first fields that these are used in. */
  #located({ errors, suggesting }: DocumentErrors): DocumentErrors {
    const located = (all: readonly DocumentError[]) =>
      all.map((error) => {
        const name = error.advice.field?.split(/[.[]/, 1)[0];
        return { ...error, path: pathOfVariable(this.document, this.node, name) };
      });
    return { errors: located(errors), suggesting: suggesting && (() => located(suggesting())) };
  }
}
