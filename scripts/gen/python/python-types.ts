import {
  type GraphQLEnumType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isScalarType,
} from 'graphql';
import { docstring, HEAD, importFrom, quoted, snake } from './python-text.ts';

/** Python's type for each scalar. */
export const SCALARS: Readonly<Record<string, string>> = {
  ID: 'str',
  String: 'str',
  Boolean: 'bool',
  Int: 'int',
  Float: 'float',
  BigInt: 'int',
  Long: 'int',
  Date: 'dt.date',
  DateTime: 'dt.datetime',
  IngestionID: 'str',
  MimeType: 'str',
  URL: 'str',
  DID: 'DID',
  JSON: 'JSON',
};

export function scalar(name: string): string {
  const found = SCALARS[name];
  if (!found) throw new Error(`No Python type is known for the scalar ${name}`);
  return found;
}

/** Members of PublishVideoInput that `upload` sets itself. */
const SET_BY_UPLOAD = new Set(['filename', 'size', 'sourceUrl']);

/** Enums and inputs that arguments and results mention. */
export class NamedTypes {
  readonly #enums = new Map<string, GraphQLEnumType>();
  readonly #inputs = new Map<string, GraphQLInputObjectType>();
  /** Names of arguments and members that hold JSON of the caller's own. */
  readonly jsonNames = new Set<string>();

  isInput(name: string): boolean {
    return this.#inputs.has(name);
  }

  isEnum(name: string): boolean {
    return this.#enums.has(name);
  }

  /** The name of an enum. */
  enumName(type: GraphQLEnumType): string {
    this.#enums.set(type.name, type);
    return type.name;
  }

  /** The type of an argument or of a member of an input. An enum may also be given as its text. */
  given(name: string, type: GraphQLInputType): string {
    if (isNonNullType(type)) return this.#givenNonNull(name, type.ofType);
    return `${this.#givenNonNull(name, type)} | None`;
  }

  #givenNonNull(name: string, type: GraphQLInputType): string {
    if (isListType(type)) return `Sequence[${this.given(name, type.ofType)}]`;
    const named = getNamedType(type);
    if (isEnumType(named)) return `${this.enumName(named)}Value`;
    if (isScalarType(named)) {
      if (named.name === 'JSON') this.jsonNames.add(name);
      return scalar(named.name);
    }
    if (isInputObjectType(named) && !this.#inputs.has(named.name)) {
      this.#inputs.set(named.name, named); // inputs may refer to themselves
      for (const field of Object.values(named.getFields())) this.given(field.name, field.type);
    }
    return named.name;
  }

  /** The source of reelgraph/enums.py. */
  enumsFile(): string {
    const enums = sorted(this.#enums).map((type) => {
      const values = type.getValues();
      const members = values.map(
        ({ name, description }) => `    ${name} = ${quoted(name)}\n${docstring(description, '    ')}`,
      );
      return (
        `class ${type.name}(OpenEnum):\n${docstring(type.description ?? `A ${type.name}.`, '    ')}\n` +
        `${members.join('')}\n\n` +
        `${type.name}Value: TypeAlias = (\n    '${type.name} | Literal[${values
          .map(({ name }) => quoted(name))
          .join(', ')}]'\n)\n`
      );
    });
    return (
      `${HEAD('The enums of the schema; arguments take their names as texts, too.')}` +
      'from typing import TYPE_CHECKING, TypeAlias\n\nfrom ._core.model import OpenEnum\n\n' +
      `if TYPE_CHECKING:\n    from typing import Literal  # noqa: F401\n\n\n${enums.join('\n\n')}`
    );
  }

  /** The source of reelgraph/inputs.py. */
  inputsFile(): string {
    const inputs = sorted(this.#inputs);
    const classes = inputs.map((type) => this.#inputClass(type.name, type.description, type));
    const publish = this.#inputs.get('PublishVideoInput');
    if (publish) {
      const about = 'The content that an upload creates: PublishVideoInput without what is known of the file.';
      classes.push(this.#inputClass('UploadInput', about, publish, SET_BY_UPLOAD));
    }
    const body = classes.join('\n\n');
    const enums = [...this.#enums.keys()].map((name) => `${name}Value`).filter((name) => mentions(body, name));
    return (
      `${HEAD('The inputs of the schema, as dictionaries with snake_case keys. Omitted keys keep their values.')}` +
      `${body.includes('dt.') ? 'import datetime as dt\n' : ''}from collections.abc import Sequence\n` +
      `from typing import Required, TypedDict\n\n${importFrom('.enums', enums)}` +
      `${importFrom(
        '.scalars',
        ['DID', 'JSON'].filter((name) => mentions(body, name)),
      )}\n\n${body}`
    );
  }

  #inputClass(
    name: string,
    about: string | null | undefined,
    type: GraphQLInputObjectType,
    without: ReadonlySet<string> = new Set(),
  ): string {
    const members = Object.values(type.getFields())
      .filter((field) => !without.has(field.name))
      .map((field) => {
        const isRequired = isNonNullType(field.type) && field.defaultValue === undefined;
        const given = this.given(field.name, field.type);
        const type = isRequired ? `Required[${given}]` : given;
        return `    ${snake(field.name)}: ${type}\n${docstring(field.description, '    ')}`;
      });
    const doc = docstring(about, '    ');
    return `class ${name}(TypedDict, total=False):\n${doc}${doc === '' ? '' : '\n'}${members.join('')}`;
  }
}

function sorted<T>(types: ReadonlyMap<string, T>): T[] {
  return [...types].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, type]) => type);
}

/** Whether a text has the word. */
export function mentions(text: string, word: string): boolean {
  return new RegExp(`(?<![\\w.])${word}(?!\\w)`).test(text);
}
