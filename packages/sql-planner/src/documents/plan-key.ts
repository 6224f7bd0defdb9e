import {
  type DocumentNode,
  GraphQLBoolean,
  type GraphQLInputObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  Kind,
  type OperationDefinitionNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { IdPort } from '../ports.ts';
import type { Access } from '../register.ts';
import type { PlannedField } from '../schema/declarations.ts';
import { type Deprecation, lifecycleOf } from '../schema/lifecycle.ts';

/** A variable whose value decides which SQL is sent, and which part of the value does. */
export interface ShapingVariable {
  readonly name: string;
  /**
   * What directives look at, enums, Booleans and page sizes shape by their value, identifiers of `node` by their kind,
   * others by being given.
   */
  by: 'value' | 'kind' | 'presence';
  /** Input objects that lists read shape by what is given of them. */
  object: GraphQLInputObjectType | null;
}

/** What is known of an operation before it is planned. */
export interface Analysis {
  readonly variables: readonly ShapingVariable[];
  /** Required access of each root field. */
  readonly accesses: readonly Access[];
  /** Whether a field is `secret`, selected or in a fragment. */
  readonly secret: boolean;
  /** Number of the fields that read the schema. */
  readonly introspections: number;
  /** The deprecated elements that its text uses, each once. */
  readonly deprecations: readonly DeprecatedUse[];
}

/** A deprecated element that an operation uses. */
export interface DeprecatedUse {
  /** `Type.field`, `Type.field(argument:)`, `InputType.field` or `EnumType.VALUE`. */
  readonly element: string;
  readonly deprecation: Deprecation;
}

/**
 * What an operation's plan depends on besides its text, and what its root fields ask of their caller. Fragments are
 * looked at whether the operation spreads them or not, which at worst makes a key longer than it need be.
 */
export function analyse(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): Analysis {
  const declared = new Set((operation.variableDefinitions ?? []).map((definition) => definition.variable.name.value));
  const found = new Map<string, ShapingVariable>();
  const accesses: Access[] = [];
  const deprecated = new Map<string, Deprecation>();
  let introspections = 0;
  let secret = false;
  const info = new TypeInfo(schema);
  const note = (element: Parameters<typeof lifecycleOf>[0] | null | undefined, nameOf: () => string) => {
    const deprecation = element && lifecycleOf(element)?.deprecated;
    if (deprecation) deprecated.set(nameOf(), deprecation);
  };
  const fieldName = () => `${info.getParentType()?.name}.${info.getFieldDef()?.name}`;
  const own = document.definitions.filter(
    (definition) => definition.kind !== Kind.OPERATION_DEFINITION || definition === operation,
  );
  visit(
    { ...document, definitions: own },
    visitWithTypeInfo(info, {
      VariableDefinition: () => false,
      Field(node) {
        // Only root fields have one, set by Graph.
        note(info.getFieldDef(), fieldName);
        const extensions = info.getFieldDef()?.extensions;
        const access = extensions?.access as Access | undefined;
        if (access) accesses.push(access);
        if (extensions?.secret === true) secret = true;
        if (node.name.value === '__schema' || node.name.value === '__type') introspections += 1;
      },
      Argument(node) {
        note(info.getArgument(), () => `${fieldName()}(${node.name.value}:)`);
      },
      ObjectField(node) {
        const type = getNamedType(info.getParentInputType());
        if (isInputObjectType(type)) note(type.getFields()[node.name.value], () => `${type.name}.${node.name.value}`);
      },
      EnumValue(node) {
        note(info.getEnumValue(), () => `${getNamedType(info.getInputType())?.name}.${node.value}`);
      },
      Variable(node) {
        const name = node.name.value;
        if (!declared.has(name)) return;
        const entry = found.get(name) ?? { name, by: 'presence', object: null };
        if (info.getDirective() || shapesByValue(info)) entry.by = 'value';
        else if (operation.operation === 'query' && inputObjectOf(info)) entry.object = inputObjectOf(info);
        else if (isNodeArgument(info) && entry.by === 'presence') entry.by = 'kind';
        found.set(name, entry);
      },
    }),
  );
  const deprecations = Array.from(deprecated, ([element, deprecation]) => ({ element, deprecation }));
  return { variables: [...found.values()], accesses, secret, introspections, deprecations };
}

function shapesByValue(info: TypeInfo): boolean {
  const argument = info.getArgument();
  if (argument?.name === 'first' || argument?.name === 'last') return true;
  const type = info.getInputType();
  const named = type ? getNamedType(type) : undefined;
  return named !== undefined && (isEnumType(named) || named.name === 'Boolean');
}

function inputObjectOf(info: TypeInfo): GraphQLInputObjectType | null {
  const type = getNullableType(info.getInputType());
  return isInputObjectType(type) ? type : null;
}

function isNodeArgument(info: TypeInfo): boolean {
  const plan = (info.getFieldDef()?.extensions as Partial<PlannedField> | undefined)?.plan;
  return plan?.kind === 'node' || plan?.kind === 'nodes';
}

/** The part of the variables' values that a plan depends on, as one text. */
export function shapingKey(
  shaping: readonly ShapingVariable[],
  variables: Readonly<Record<string, unknown>>,
  ids: IdPort,
): string {
  let key = '';
  for (const { name, by, object } of shaping) {
    const value = variables[name];
    if (object) key += shapeOf(object, value);
    else if (by === 'value') key += `${typeof value === 'string' ? JSON.stringify(value) : String(value)};`;
    else if (by === 'kind') key += `${kindsOf(value, ids)};`;
    else key += value == null ? '0;' : '1;';
  }
  return key;
}

/** What is given of an input object, and the values of enums and Booleans in it. */
function shapeOf(type: GraphQLInputObjectType, value: unknown): string {
  if (value == null) return '0;';
  const given = value as Readonly<Record<string, unknown>>; // coerced to this very type
  let shape = '{';
  for (const { name, type: fieldType } of Object.values(type.getFields())) {
    const nullable = getNullableType(fieldType);
    if (isInputObjectType(nullable)) shape += shapeOf(nullable, given[name]);
    else if (isEnumType(nullable) || nullable === GraphQLBoolean) shape += `${String(given[name])};`;
    else shape += given[name] == null ? '0;' : '1;';
  }
  return `${shape}}`;
}

/** How many identifiers there are (they cost) and of which kinds. */
function kindsOf(value: unknown, ids: IdPort): string {
  const texts: unknown[] = Array.isArray(value) ? value : [value];
  const kinds = new Set(texts.map((text) => (typeof text === 'string' ? ids.kindOf(text) : null)));
  return `${texts.length}:${[...kinds].sort().join(',')}`;
}
