import { printWithNullability } from '@reelgraph/sql-planner';
import type { GraphQLSchema } from 'graphql';

const printed = new WeakMap<GraphQLSchema, string>();

/** The schema in the schema definition language, printed once: printing takes twenty times the memory of the text. */
export function printedSchema(schema: GraphQLSchema): string {
  const text = printed.get(schema) ?? `${printWithNullability(schema)}\n`;
  printed.set(schema, text);
  return text;
}
