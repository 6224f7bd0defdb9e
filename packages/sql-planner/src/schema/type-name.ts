/** The key of the type name in objects of interface types: JSON omits symbols. */
export const TYPE_NAME: unique symbol = Symbol('type name');

/** The type name of an object in a field of an interface type. */
export function typeNameOf(value: { readonly [TYPE_NAME]?: string }): string | undefined {
  return value[TYPE_NAME];
}
