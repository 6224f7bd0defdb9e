import SchemaBuilder from '@pothos/core';
import type { IdScalar } from '../register.ts';
import { SCALARS, scalarConfig, textScalar } from './scalars.ts';

/** Types that declarations can refer to by name. */
export interface GraphTypes {
  Scalars: { [Name in IdScalar]: { Input: string; Output: string } } & {
    DateTime: { Input: string; Output: string };
    Date: { Input: string; Output: string };
    BigInt: { Input: number; Output: number };
    Long: { Input: number; Output: number };
    URL: { Input: string; Output: string };
    MimeType: { Input: string; Output: string };
    JSON: { Input: unknown; Output: unknown };
  };
  Context: object;
  DefaultFieldNullability: false;
}

export type Builder = PothosSchemaTypes.SchemaBuilder<PothosSchemaTypes.ExtendDefaultTypes<GraphTypes>>;

/** A scalar of public identifiers. */
export interface IdScalarOptions {
  readonly name: IdScalar;
  readonly description: string;
  /** Types of variables that may stand where an identifier is expected, besides this one. */
  readonly acceptsVariablesOf?: readonly string[];
}

/** A Pothos builder with the scalars of every graph and those of public identifiers. Fields are non-null by default. */
export function createBuilder(ids: readonly IdScalarOptions[]): Builder {
  const builder = new SchemaBuilder<GraphTypes>({ defaultFieldNullability: false });
  for (const { name, description, acceptsVariablesOf = [] } of ids)
    builder.scalarType(name, scalarConfig(textScalar(name, description, acceptsVariablesOf)));
  for (const [name, declaration] of Object.entries(SCALARS))
    builder.scalarType(name as keyof typeof SCALARS, scalarConfig(declaration)); // Object.entries widens the keys
  return builder;
}
