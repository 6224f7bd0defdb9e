import { type FieldNode, print } from 'graphql';

const keys = new WeakMap<FieldNode, string>();

/**
 * Under which property the value of a field is kept: its name, plus its arguments as written where it has some. Two
 * fields share a key exactly when they share a value, whatever their aliases.
 */
export function propertyKey(node: FieldNode): string {
  const known = keys.get(node);
  if (known !== undefined) return known;
  const args = node.arguments ?? [];
  const key =
    args.length === 0
      ? node.name.value
      : `${node.name.value}(${args
          .map((arg) => `${arg.name.value}:${print(arg.value)}`)
          .sort()
          .join(',')})`;
  keys.set(node, key);
  return key;
}

/** Lets a node that was stripped of its arguments keep its key. */
export function keepPropertyKey(node: FieldNode, key: string): void {
  keys.set(node, key);
}
