import {
  GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  getNullableType,
  getVariableValues,
  isEnumType,
  isInputType,
  isListType,
  isNonNullType,
  isScalarType,
  isSpecifiedScalarType,
  typeFromAST,
  type VariableDefinitionNode,
  valueFromAST,
} from 'graphql';
import { type DocumentError, type DocumentErrors, documentErrorOf, MAX_ERRORS } from './document-errors.ts';
import type { VariableUsages } from './variable-usages.ts';

type Values = Readonly<Record<string, unknown>>;

export type CoercedVariables =
  | { readonly values: Values; readonly errors?: undefined }
  | { readonly values: Values; readonly errors: DocumentErrors };

/** Whether a value needs no coercion for a type. */
type Fits = (value: unknown) => boolean;

const NONE: CoercedVariables = { values: Object.freeze({}) };

const SCALARS: Readonly<Record<string, Fits>> = {
  String: (value) => typeof value === 'string',
  Boolean: (value) => typeof value === 'boolean',
  Int: (value) => typeof value === 'number' && (value | 0) === value,
  Float: Number.isFinite,
  BigInt: Number.isSafeInteger,
  Long: Number.isSafeInteger,
};

/**
 * Coerces the variables of an operation, each also as the types of `usages`: where it stands for another type than
 * its own, its value has to be one of that type.
 */
export function compileVariables(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
  usages: VariableUsages = new Map(),
): (raw: Values) => CoercedVariables {
  const coerce = compileOwnTypes(schema, definitions);
  const checks = [...usages].flatMap(([name, types]) => [...types].map((type) => ({ name, type })));
  if (checks.length === 0) return coerce;
  return (raw) => {
    const coerced = coerce(raw);
    if (coerced.errors) return coerced;
    const errors = checks.flatMap(({ name, type }) => misfits(name, coerced.values[name], type));
    return errors.length === 0 ? coerced : { values: NONE.values, errors: { errors: errors.slice(0, MAX_ERRORS) } };
  };
}

/** The error of a value, or of each item of a list, that the type refuses. Null has been checked at the top. */
function misfits(name: string, value: unknown, type: GraphQLInputType, path = ''): DocumentError[] {
  const error = (reason: string): DocumentError[] => {
    const place = path === '' ? '' : ` at "${name}${path}"`;
    const message = `Variable "$${name}" got invalid value ${JSON.stringify(value)}${place}; ${reason}`;
    return [documentErrorOf(new GraphQLError(message))];
  };
  if (value === undefined || (value === null && path === '')) return [];
  if (value === null) return isNonNullType(type) ? error(`Expected non-nullable type "${type}" not to be null.`) : [];
  const nullable = getNullableType(type);
  if (isListType(nullable) && Array.isArray(value))
    return value.flatMap((item, index) => misfits(name, item, nullable.ofType, `${path}[${index}]`));
  if (!isScalarType(nullable) || isSpecifiedScalarType(nullable)) return [];
  try {
    nullable.parseValue(value);
    return [];
  } catch (thrown) {
    return error(thrown instanceof GraphQLError ? thrown.message : `Expected type "${nullable.name}".`);
  }
}

/**
 * Coerces variables as their own types. Values of simple types that fit are taken as they are; anything else goes
 * the whole way, which also makes the errors.
 */
function compileOwnTypes(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
): (raw: Values) => CoercedVariables {
  if (definitions.length === 0) return () => NONE;
  const wholeWay = (raw: Values): CoercedVariables => {
    const read = (hideSuggestions: boolean) =>
      getVariableValues(schema, definitions, raw, { maxErrors: MAX_ERRORS, hideSuggestions });
    const { coerced, errors } = read(true);
    if (coerced) return { values: coerced };
    // Beyond its limit graphql-js adds an error that says so.
    const listed = (all: readonly GraphQLError[]) => all.slice(0, MAX_ERRORS).map((error) => documentErrorOf(error));
    return {
      values: NONE.values,
      errors: { errors: listed(errors), suggesting: () => listed(read(false).errors ?? []) },
    };
  };
  const simple = definitions.map((definition) => simpleVariable(schema, definition));
  if (simple.some((variable) => variable === null)) return wholeWay;
  const variables = simple.filter((variable) => variable !== null);
  return (raw) => {
    const values: Record<string, unknown> = {};
    for (const { name, fits, required, defaultValue } of variables) {
      const value = Object.hasOwn(raw, name) ? raw[name] : undefined;
      if (value === undefined) {
        if (defaultValue !== undefined) values[name] = defaultValue;
        else if (required) return wholeWay(raw);
      } else if (value === null ? required : !fits(value)) return wholeWay(raw);
      else values[name] = value;
    }
    return { values };
  };
}

interface SimpleVariable {
  readonly name: string;
  readonly fits: Fits;
  readonly required: boolean;
  readonly defaultValue: unknown;
}

function simpleVariable(schema: GraphQLSchema, definition: VariableDefinitionNode): SimpleVariable | null {
  const type = typeFromAST(schema, definition.type as never); // the overloads do not cover the union that it is
  if (!isInputType(type)) return null;
  const required = isNonNullType(type);
  const fits = fitsOf(required ? type.ofType : type);
  if (!fits) return null;
  const defaultValue = definition.defaultValue ? valueFromAST(definition.defaultValue, type) : undefined;
  return { name: definition.variable.name.value, fits, required, defaultValue };
}

function fitsOf(type: GraphQLInputType): Fits | undefined {
  if (isScalarType(type)) return type.extensions['isText'] === true ? SCALARS['String'] : SCALARS[type.name];
  // Our enums' values are their names.
  return isEnumType(type) ? (value) => typeof value === 'string' && type.getValue(value)?.value === value : undefined;
}
