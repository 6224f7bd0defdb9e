import { type GraphQLSchema, printSchema } from 'graphql';

const printed = new WeakMap<GraphQLSchema, string>();

/** The schema in the schema definition language, printed once: printing takes twenty times the memory of the text. */
export function printedSchema(schema: GraphQLSchema): string {
  const text = printed.get(schema) ?? `${printSchema(schema)}\n`;
  printed.set(schema, text);
  return text;
}
