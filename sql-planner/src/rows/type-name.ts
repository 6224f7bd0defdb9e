/** Where objects of interface types keep the name of their type: JSON leaves symbols out. */
export const TYPE_NAME: unique symbol = Symbol('type name');

/** The name of the type of an object that a field of an interface type holds. */
export function typeNameOf(value: { readonly [TYPE_NAME]?: string }): string | undefined {
  return value[TYPE_NAME];
}
