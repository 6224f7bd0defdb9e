import {
  type GraphQLInputField,
  type GraphQLInputType,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLOutputType,
  isEnumType,
  isInputObjectType,
  isScalarType,
} from 'graphql';

/** The part of JSON Schema 2020-12 that tool schemas use. */
export interface JsonSchema {
  readonly type?: string;
  readonly anyOf?: readonly JsonSchema[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly items?: JsonSchema;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly default?: unknown;
}

/** JSON Schema of each scalar. */
const SCALARS: Readonly<Record<string, JsonSchema>> = {
  String: { type: 'string' },
  ID: { type: 'string' },
  DID: { type: 'string' },
  IngestionID: { type: 'string' },
  DateTime: { type: 'string', format: 'date-time' },
  Date: { type: 'string', format: 'date' },
  URL: { type: 'string', format: 'uri' },
  MimeType: { type: 'string' },
  Int: { type: 'integer' },
  BigInt: { type: 'integer' },
  Long: { type: 'integer' },
  Float: { type: 'number' },
  Boolean: { type: 'boolean' },
  JSON: {},
};

/** Throws for an unknown scalar: a test checks the whole schema. */
export function scalarSchema(name: string): JsonSchema {
  const schema = SCALARS[name];
  if (!schema) throw new Error(`mcp/json-schema.ts: the scalar ${name} has no JSON Schema.`);
  return schema;
}

/**
 * An input type; fields that are wrapped in NonNull are required. The caller handles the nullability of the argument
 * itself.
 */
export function inputSchema(type: GraphQLInputType): JsonSchema {
  if (type instanceof GraphQLNonNull) return inputSchema(type.ofType);
  if (type instanceof GraphQLList) return { type: 'array', items: inputSchema(type.ofType) };
  if (isScalarType(type)) return scalarSchema(type.name);
  if (isEnumType(type)) return { type: 'string', enum: type.getValues().map(({ name }) => name) };
  if (!isInputObjectType(type)) throw new Error(`${String(type)} is no input type.`);
  const fields = Object.values(type.getFields());
  const required = fields
    .filter((field) => field.type instanceof GraphQLNonNull && field.defaultValue === undefined)
    .map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(
      fields.map((field) => [
        field.name,
        { ...inputFieldSchema(field), description: firstSentence(field.description ?? '') },
      ]),
    ),
    ...(required.length > 0 ? { required } : {}),
  };
}

/** An input field; one that null clears takes null too. */
function inputFieldSchema(field: GraphQLInputField): JsonSchema {
  const schema = inputSchema(field.type);
  return isClearable(field) ? orNull(schema) : schema;
}

/** Whether null clears what an input field changes. */
export function isClearable({ extensions }: GraphQLInputField): boolean {
  return extensions.isClearable === true;
}

/** A value or null. Some model providers know no lists of types, which would be shorter. */
export function orNull(schema: JsonSchema): JsonSchema {
  return { anyOf: [schema, { type: 'null' }] };
}

/** A leaf of a result: a scalar or enum, or a list of them. */
export function leafSchema(type: GraphQLOutputType): JsonSchema {
  if (type instanceof GraphQLNonNull) return leafSchema(type.ofType);
  if (type instanceof GraphQLList) return { type: 'array', items: leafSchema(type.ofType) };
  if (!isScalarType(type)) return { type: 'string' };
  const { format: _format, ...schema } = scalarSchema(type.name); // output needs no descriptions
  return schema;
}

/** A model gets only the first sentence of a description. */
export function firstSentence(text: string): string {
  const flat = text.replaceAll(/\s+/g, ' ').trim();
  return /^.*?[.;:](?= |$)/.exec(flat)?.[0].replace(/[;:]$/, '.') ?? flat;
}
