import {
  DirectiveLocation,
  GraphQLDirective,
  type GraphQLField,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLSchema,
  isInterfaceType,
  isObjectType,
  parse,
  printSchema,
  visit,
} from 'graphql';

/**
 * Marks fields that are null only together with an error (Apollo nullability specification 0.4; Relay reads it, too).
 * Clients that throw errors may take their types for non-null.
 */
export const SEMANTIC_NON_NULL = new GraphQLDirective({
  name: 'semanticNonNull',
  description: 'The value is null only if there is an error with its path.',
  locations: [DirectiveLocation.FIELD_DEFINITION],
  args: {
    levels: {
      type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(GraphQLInt))),
      defaultValue: [0],
      description: 'Levels of lists that it concerns; 0 is the value itself.',
    },
  },
});

/** Whether a field is null only together with an error, although its type is nullable. */
export function isSemanticNonNull({ extensions }: Pick<GraphQLField<unknown, unknown>, 'extensions'>): boolean {
  return extensions.semanticNonNull === true;
}

/** The schema in the schema definition language, with `@semanticNonNull` where it applies. */
export function printWithNullability(schema: GraphQLSchema): string {
  const text = printSchema(schema);
  const places: number[] = [];
  visit(parse(text), {
    FieldDefinition(node, _key, _parent, _path, ancestors) {
      const owner = ancestors.at(-1);
      const type = owner && 'name' in owner && owner.name ? schema.getType(owner.name.value) : undefined;
      const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[node.name.value] : undefined;
      if (field && isSemanticNonNull(field) && node.type.loc) places.push(node.type.loc.end);
    },
  });
  const cuts = [0, ...places, text.length];
  return cuts
    .slice(1)
    .map((end, index) => text.slice(cuts[index], end))
    .join(` @${SEMANTIC_NON_NULL.name}`);
}
