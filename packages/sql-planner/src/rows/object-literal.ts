/**
 * Code for an object with these properties in order. `__proto__` is computed, because a literal `__proto__:` would set
 * the prototype.
 */
export function objectLiteral(properties: ReadonlyArray<readonly [name: string, text: string]>, more = ''): string {
  const parts = properties.map(([name, text]) =>
    name === '__proto__' ? `["__proto__"]:${text}` : `${JSON.stringify(name)}:${text}`,
  );
  return `{${[...(more === '' ? [] : [more]), ...parts].join(',')}}`;
}

/** Code for the property with the type name of an object of an interface type. */
export function typeNameProperty(type: string): string {
  return `[TYPE_NAME]:${JSON.stringify(type)}`;
}
