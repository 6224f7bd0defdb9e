import SchemaBuilder from '@pothos/core';
import { GraphQLError, Kind, type ValueNode } from 'graphql';
import type { IdScalar } from '../register.ts';

/** Types that declarations can refer to by name. */
export interface GraphTypes {
  Scalars: { [Name in IdScalar]: { Input: string; Output: string } } & {
    DateTime: { Input: string; Output: string };
    BigInt: { Input: number; Output: number };
    JSON: { Input: unknown; Output: unknown };
  };
  Context: object;
  DefaultFieldNullability: false;
}

export type Builder = PothosSchemaTypes.SchemaBuilder<PothosSchemaTypes.ExtendDefaultTypes<GraphTypes>>;

/** A Pothos builder with these scalars and the one of public identifiers. Fields are non-null by default. */
export function createBuilder(id: { readonly name: IdScalar; readonly description: string }): Builder {
  const builder = new SchemaBuilder<GraphTypes>({ defaultFieldNullability: false });
  const parseId = parseText(`A ${id.name}`);
  builder.scalarType(id.name, {
    description: id.description,
    extensions: { isText: true },
    serialize: String,
    parseValue: parseId,
    parseLiteral: (node) => parseId(node.kind === Kind.STRING ? node.value : null),
  });
  builder.scalarType('DateTime', {
    description:
      'Instant in UTC, ISO 8601 with milliseconds: 2026-03-01T12:00:00.000Z. Offsets are accepted in arguments.',
    serialize: String,
    parseValue: parseInstant,
    parseLiteral: (node) => parseInstant(node.kind === Kind.STRING ? node.value : null),
  });
  builder.scalarType('BigInt', {
    description: 'Integer between -(2^53 - 1) and 2^53 - 1, for sizes and counts beyond 32 bits.',
    serialize: Number,
    parseValue: parseBigInt,
    parseLiteral: (node) => parseBigInt(node.kind === Kind.INT ? Number(node.value) : literalName(node)),
  });
  builder.scalarType('JSON', {
    description: 'Any JSON value, in responses only: members may be added without notice.',
    serialize: (value) => value,
    parseValue: refuseJson,
    parseLiteral: refuseJson,
  });
  return builder;
}

function refuseJson(): never {
  throw new GraphQLError('JSON is for answers only.');
}

function parseText(what: string): (value: unknown) => string {
  return (value) => {
    if (typeof value !== 'string') throw new GraphQLError(`${what} is a string.`);
    return value;
  };
}

const INSTANT = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?([Zz]|[+-]\d{2}:\d{2})$/;

function parseInstant(value: unknown): string {
  const ms = typeof value === 'string' && INSTANT.test(value) ? Date.parse(value) : Number.NaN;
  // Date.parse accepts 30 February as 2 March; the day must survive the round trip.
  const day = typeof value === 'string' ? Number(value.slice(8, 10)) : 0;
  const local = typeof value === 'string' ? Date.parse(`${value.slice(0, 10)}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(ms) || new Date(local).getUTCDate() !== day) {
    throw new GraphQLError('A DateTime is an ISO 8601 instant with a time zone, such as 2026-03-01T12:00:00Z.');
  }
  return new Date(ms).toISOString();
}

function parseBigInt(value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) {
    throw new GraphQLError('A BigInt is an integer between -(2^53 - 1) and 2^53 - 1.');
  }
  return value;
}

function literalName(node: ValueNode): string {
  return node.kind;
}
