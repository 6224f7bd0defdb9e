import { type FieldNode, print } from 'graphql';

const keys = new WeakMap<FieldNode, string>();

/** Under which name the response holds the value of a field. */
export function responseKey(node: FieldNode): string {
  return node.alias?.value ?? node.name.value;
}

/**
 * What the value of a field depends on below its object: its name, plus its arguments as written where it has some. Two
 * fields share a key exactly when they share a value, whatever their aliases.
 */
export function propertyKey(node: FieldNode): string {
  const known = keys.get(node);
  if (known !== undefined) return known;
  const args = node.arguments ?? [];
  const written = args.map((arg) => `${arg.name.value}:${print(arg.value)}`).sort();
  const key = args.length === 0 ? node.name.value : `${node.name.value}(${written.join(',')})`;
  keys.set(node, key);
  return key;
}
