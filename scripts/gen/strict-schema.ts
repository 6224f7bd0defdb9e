import { Kind, parse, print, type TypeNode, visit } from 'graphql';

/**
 * The schema for programs that throw the errors of a response: what is null only together with an error
 * (`@semanticNonNull`) is non-null for them. Pure.
 */
export function strictSchema(schemaText: string): string {
  const strict = visit(parse(schemaText), {
    FieldDefinition(node) {
      const others = node.directives?.filter(({ name }) => name.value !== 'semanticNonNull') ?? [];
      if (others.length === (node.directives ?? []).length) return undefined;
      return { ...node, type: nonNull(node.type), directives: others };
    },
    DirectiveDefinition: ({ name }) => (name.value === 'semanticNonNull' ? null : undefined),
  });
  return `${print(strict)}\n`;
}

function nonNull(type: TypeNode): TypeNode {
  return type.kind === Kind.NON_NULL_TYPE ? type : { kind: Kind.NON_NULL_TYPE, type };
}
