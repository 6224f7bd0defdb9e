/**
 * Code for an object with these properties, in their order. A property called `__proto__` is one like any other:
 * written plainly it would be none.
 */
export function objectLiteral(properties: ReadonlyArray<readonly [name: string, text: string]>, more = ''): string {
  const parts = properties.map(([name, text]) =>
    name === '__proto__' ? `["__proto__"]:${text}` : `${JSON.stringify(name)}:${text}`,
  );
  return `{${[...(more === '' ? [] : [more]), ...parts].join(',')}}`;
}

/** Code for the property under which an object of an interface type keeps the name of its type. */
export function typeNameProperty(type: string): string {
  return `[TYPE_NAME]:${JSON.stringify(type)}`;
}
