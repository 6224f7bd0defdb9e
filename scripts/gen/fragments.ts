import { type DocumentNode, type FragmentDefinitionNode, Kind, type OperationDefinitionNode, visit } from 'graphql';

type Definition = OperationDefinitionNode | FragmentDefinitionNode;

/** The fragments of a document by name. */
export function fragmentsOf(document: DocumentNode): Map<string, FragmentDefinitionNode> {
  return new Map(
    document.definitions
      .filter((node) => node.kind === Kind.FRAGMENT_DEFINITION)
      .map((node) => [node.name.value, node]),
  );
}

/** The fragments that a definition reaches, each once, in the order they are met. */
export function reachedFragments(
  definition: Definition,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): Map<string, FragmentDefinitionNode> {
  const reached = new Map<string, FragmentDefinitionNode>();
  const follow = (node: Definition): void => {
    visit(node, {
      FragmentSpread({ name }) {
        const fragment = fragments.get(name.value);
        if (!fragment || reached.has(name.value)) return;
        reached.set(name.value, fragment);
        follow(fragment);
      },
    });
  };
  follow(definition);
  return reached;
}

/** The operation followed by the fragments it reaches. */
export function withFragments(
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): DocumentNode {
  return { kind: Kind.DOCUMENT, definitions: [operation, ...reachedFragments(operation, fragments).values()] };
}
