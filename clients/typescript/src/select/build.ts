import { ARGUMENTS } from '../generated/arguments.gen.ts';
import type { MutationFields, QueryFields, SubscriptionFields } from '../generated/fields.gen.ts';
import { Document, type OperationKind } from '../request/document.ts';
import type { Checked, ResultOf, SelectionOf } from './selection.ts';

/** A selection as a document, with the values of its arguments as its variables. */
export type Selected<Result> = Document<Result, Readonly<Record<string, unknown>>>;

/**
 * A query for chosen fields, to be run with `client.request`. Values of arguments travel as variables, so that the
 * same selection is always the same text. The platform's metrics call it by `name` (default: its first field).
 */
export function query<const Chosen extends SelectionOf<QueryFields>>(
  selection: Chosen & NoInfer<Checked<QueryFields, Chosen>>,
  name?: string,
): Selected<ResultOf<QueryFields, Chosen>> {
  return built('query', selection, name);
}

/** A mutation that returns chosen fields, to be run with `client.request`. */
export function mutation<const Chosen extends SelectionOf<MutationFields>>(
  selection: Chosen & NoInfer<Checked<MutationFields, Chosen>>,
  name?: string,
): Selected<ResultOf<MutationFields, Chosen>> {
  return built('mutation', selection, name);
}

/** A subscription to chosen fields, to be followed with `client.subscribe`. */
export function subscription<const Chosen extends SelectionOf<SubscriptionFields>>(
  selection: Chosen & NoInfer<Checked<SubscriptionFields, Chosen>>,
  name?: string,
): Selected<ResultOf<SubscriptionFields, Chosen>> {
  return built('subscription', selection, name);
}

/** A variable that is given when the document runs. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * Arguments of the list that `client.paginate` iterates over: `contents: [page, { … }]`, or
 * `contents: [{ ...page, sort: 'VIEWS' }, { … }]`.
 */
export const page = /* @__PURE__ */ placeholders();

function placeholders(): { readonly first: number; readonly after: string | null } {
  // Arguments have the types of values; the writer below knows placeholders.
  return { first: new Placeholder('first') as never, after: new Placeholder('after') as never };
}

function built<Result>(kind: OperationKind, selection: object, name?: string): Selected<Result> {
  const writer = new Writer();
  const body = writer.selectionSet(selection, kind);
  const [, first = ''] = /^\{(?:\w+: )?(\w+)/.exec(body) ?? [];
  const called = requireName(name ?? first.charAt(0).toUpperCase() + first.slice(1));
  return new Document(kind, called, `${kind} ${called}${writer.header()}${body}`, [], [], writer.values);
}

const NAME = /^[_A-Za-z]\w*$/;

function requireName(name: string): string {
  if (NAME.test(name)) return name;
  throw new TypeError(`"${name}" is not a name: letters, digits and _, not beginning with a digit.`);
}

/** Names that a placeholder may have. */
const RESERVED = ['first', 'after'];

/** Writes a selection, and collects the values of its arguments. */
class Writer {
  readonly values: Record<string, unknown> = {};
  readonly #types = new Map<string, string>();

  /** `($id:DID!)`, or ''. */
  header(): string {
    const definitions = [...this.#types].map(([name, type]) => `$${name}:${type}`);
    return definitions.length === 0 ? '' : `(${definitions.join(',')})`;
  }

  /** `{id metadata{title}}`; `above` is the field that holds the object. */
  selectionSet(selection: object, above: string): string {
    const parts: string[] = [];
    for (const [key, chosen] of Object.entries(selection)) {
      if (chosen === false || chosen == null) continue;
      if (key === 'on')
        for (const [type, part] of Object.entries(chosen as Record<string, object>))
          parts.push(`...on ${requireName(type)}${this.selectionSet(part, above)}`);
      else parts.push(this.#field(key, chosen, above));
    }
    if (parts.length === 0) throw new TypeError(`Select at least one field of ${above}.`);
    return `{${parts.join(' ')}}`;
  }

  #field(key: string, chosen: unknown, above: string): string {
    const names = key.split(': ', 2).map(requireName);
    const field = names.at(-1) ?? '';
    const [given, inner] = Array.isArray(chosen) ? chosen : [{}, chosen];
    const passed = Object.entries(given ?? {})
      .filter(([, value]) => value !== undefined)
      .map(([argument, value]) => `${argument}:$${this.#variable(argument, value, typeOf(above, field, argument))}`);
    const args = passed.length === 0 ? '' : `(${passed.join(',')})`;
    return `${names.join(': ')}${args}${typeof inner === 'object' ? this.selectionSet(inner, field) : ''}`;
  }

  /** The name of a new variable with this value, or of the placeholder. */
  #variable(argument: string, value: unknown, type: string): string {
    let name = argument;
    if (value instanceof Placeholder) name = value.name;
    else {
      for (let n = 2; RESERVED.includes(name) || this.#types.has(name); n += 1) name = `${argument}${n}`;
      this.values[name] = value;
    }
    this.#types.set(name, type);
    return name;
  }
}

/** The type of an argument by the table: of this field here, of all fields of this name, of most arguments. */
function typeOf(above: string, field: string, argument: string): string {
  const types: Readonly<Record<string, string>> = ARGUMENTS;
  const type =
    types[`${above}/${field}.${argument}`] ??
    types[`${field}.${argument}`] ??
    (argument === 'input' ? `${field.charAt(0).toUpperCase()}${field.slice(1)}Input!` : types[argument]);
  if (type === undefined) throw new TypeError(`${field} has no argument ${argument}.`);
  return type;
}
