/**
 * The text of one operation with its types. Documents of `@graphql-codegen/client-preset` with `documentMode: 'string'`
 * are compatible.
 */
export interface TypedDocument<Result, Variables> {
  toString(): string;
  /** Carries the types; never present at run time. */
  readonly __apiType?: (variables: Variables) => Result;
}

/** Kind of an operation. */
export type OperationKind = 'query' | 'mutation' | 'subscription';

/** An operation of the client, generated from the schema. */
export class Document<Result, Variables> implements TypedDocument<Result, Variables> {
  declare readonly __apiType?: (variables: Variables) => Result;
  readonly kind: OperationKind;
  /** Name of the operation in the server's metrics. */
  readonly name: string;
  /** Keys of the data down to what the operation's method returns. */
  readonly path: readonly string[];
  /** Values that the document brings along; those of a call are added. */
  readonly variables: Readonly<Record<string, unknown>>;
  readonly #parts: readonly string[];

  constructor(
    kind: OperationKind,
    name: string,
    text: string,
    path: readonly string[],
    fragments: readonly string[],
    variables: Readonly<Record<string, unknown>> = {},
  ) {
    this.kind = kind;
    this.name = name;
    this.path = path;
    this.variables = variables;
    this.#parts = [text, ...fragments];
  }

  /** The operation with its fragments. */
  toString(): string {
    return this.#parts.join('\n');
  }
}

/** The body of a request that runs the document. */
export function bodyOf(
  document: TypedDocument<unknown, never> | string,
  variables: unknown,
  operationName?: string,
): string {
  const all = document instanceof Document ? { ...document.variables, ...(variables as object) } : variables;
  return JSON.stringify({ query: `${document}`, variables: all, operationName });
}

const NOISE = /"""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"|#[^\n]*/g;
const DEFINITION = /\b(query|mutation|subscription)\b\s*(\w*)/g;

/** Kind of the operation called `operationName`, or of the only one. A shorthand `{ … }` is a query. */
export function operationKind(document: TypedDocument<unknown, never> | string, operationName?: string): OperationKind {
  if (document instanceof Document) return document.kind;
  const outside = withoutBraces(`${document}`.replace(NOISE, ' '));
  for (const [, kind, name] of outside.matchAll(DEFINITION)) {
    // The expression matches only these.
    if (operationName === undefined || name === operationName) return kind as OperationKind;
  }
  return 'query';
}

/** The text outside of all braces. */
function withoutBraces(text: string): string {
  let depth = 0;
  let outside = '';
  for (const character of text) {
    if (character === '{') depth += 1;
    if (depth === 0) outside += character;
    if (character === '}') depth -= 1;
  }
  return outside;
}
