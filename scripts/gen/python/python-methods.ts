import {
  type FragmentDefinitionNode,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  print,
  stripIgnoredCharacters,
  TypeInfo,
  typeFromAST,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { ClientDocument, Method } from '../client-document.ts';
import { reachedFragments, withFragments } from '../fragments.ts';
import type { ModelWriter } from './python-models.ts';
import { argument, constant, docstring, HEAD, importFrom, methodName, quoted, snake, tuple } from './python-text.ts';
import { mentions, type NamedTypes, SCALARS } from './python-types.ts';

/** An argument of a method. */
interface Argument {
  /** In the schema. */
  readonly wire: string;
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string | null | undefined;
}

/** Arguments that the iteration over a list sets. */
const OF_PAGES = new Set(['first', 'last', 'after', 'before']);
/** Parameters of methods, and of `all`, besides the arguments of the schema. */
const OWN = new Set(['self', 'options']);
const OF_ALL = new Set(['page_size', 'limit']);
const CALL_OPTIONS = 'options: CallOptions | None = None';
/** Methods of the client that are written by hand. */
const BY_HAND = new Set(['close', 'request', 'answer', 'paginate', 'subscribe', 'upload', 'wait_until_processed']);

export type Mode = 'sync' | 'async';

/** Writes the operations and the methods that run them. */
export class MethodWriter {
  readonly #document: ClientDocument;
  readonly #models: ModelWriter;
  readonly #named: NamedTypes;
  readonly #arguments: ReadonlyMap<Method, readonly Argument[]>;

  constructor(document: ClientDocument, models: ModelWriter, named: NamedTypes) {
    this.#document = document;
    this.#models = models;
    this.#named = named;
    this.#arguments = new Map(document.methods.map((method) => [method, this.#argumentsOf(method)]));
  }

  /** The source of reelgraph/_generated/documents.py. */
  documentsFile(): string {
    const { methods, fragments, used } = this.#document;
    const texts = used.map((node) => `${textOf(node.name.value)} = ${quoted(stripIgnoredCharacters(print(node)))}\n`);
    const operations = methods.map((method) => {
      const parts = [...reachedFragments(method.operation, fragments).keys()].map(textOf);
      const result = this.#result(method);
      const lines = [
        quoted(method.kind),
        quoted(stripIgnoredCharacters(print(method.operation))),
        tuple(method.path.map(quoted)),
        quoted(result),
        tuple(parts),
      ];
      const body = lines.map((line) => `    ${line},\n`).join('');
      return `${constant(method.name)}: Operation[${result}] = Operation(\n${body})\n`;
    });
    const rows = methods.map(({ name }) => `    ${quoted(name)}: ${constant(name)},\n`);
    const results = methods.map((method) => this.#result(method)).join('\n');
    const json = [...this.#named.jsonNames].sort().map(quoted);
    return (
      `${HEAD('The operations of the methods.')}from typing import TYPE_CHECKING, Any\n\n` +
      'from .._core.document import Operation\n\nif TYPE_CHECKING:\n' +
      `${this.#imports(results)}\nJSON_NAMES: frozenset[str] = frozenset(${tuple(json)})\n` +
      `"""Arguments and members of inputs that hold JSON of the caller's own."""\n\n` +
      `${texts.join('')}\n${operations.join('')}\nOPERATIONS: dict[str, Operation[Any]] = {\n${rows.join('')}}\n` +
      '"""Every operation, by the name of its root field."""\n'
    );
  }

  /** The source of the methods of one of the clients. */
  methodsFile(mode: Mode): string {
    const { methods } = this.#document;
    const isAsync = mode === 'async';
    const lists = methods.filter((method) => this.#isList(method));
    const classes = lists.map((method) => this.#listClass(method, isAsync));
    const members = methods.map((method) => this.#member(method, isAsync));
    const [base, list] = isAsync ? ['AsyncMethods', 'AsyncListMethod'] : ['Methods', 'ListMethod'];
    const body =
      `${classes.join('\n\n')}\n\nclass ${isAsync ? 'AsyncOperations' : 'Operations'}(${base}):\n` +
      `    """One method for each root field of the schema, and some for what lies deeper."""\n\n${members.join('\n')}`;
    const streams = isAsync ? 'AsyncGenerator' : 'Generator';
    const abc = ['Sequence', ...(body.includes(`${streams}[`) ? [streams] : [])];
    return (
      `${HEAD(`The methods of ${isAsync ? 'AsyncReelgraph' : 'Reelgraph'}.`)}from typing import TYPE_CHECKING\n\n` +
      `from .._methods import ${[list, base].sort().join(', ')}\nfrom . import documents\n\nif TYPE_CHECKING:\n` +
      `${body.includes('dt.') ? '    import datetime as dt\n' : ''}` +
      `${importFrom('collections.abc', abc, '    ')}\n${this.#imports(body)}` +
      `    from ..options import CallOptions, FollowOptions\n` +
      `    from ..pages import ${isAsync ? 'AsyncPages' : 'Pages'}\n\n\n${body}`
    );
  }

  /** Imports of the types that a text mentions. */
  #imports(text: string): string {
    const words = [...new Set(text.match(/(?<![\w."])[A-Z]\w+(?!\w)/g))];
    const inputs = words.filter((word) => this.#named.isInput(word));
    const enums = words.filter((word) => this.#named.isEnum(word.replace(/Value$/, '')));
    return (
      importFrom('..enums', enums, '    ') +
      importFrom('..inputs', inputs, '    ') +
      importFrom(
        '..models',
        words.filter((word) => this.#models.has(word)),
        '    ',
      ) +
      importFrom(
        '..scalars',
        ['DID', 'JSON'].filter((name) => mentions(text, name)),
        '    ',
      )
    );
  }

  #argumentsOf(method: Method): Argument[] {
    const { name, operation } = method;
    const isList = this.#isList(method);
    const described = this.#descriptions(operation);
    return (operation.variableDefinitions ?? []).map(({ variable, type: node, defaultValue }) => {
      const wire = variable.name.value;
      const type = typeFromAST(this.#document.schema, node as never) as never; // the overloads take no union
      const argumentName = snake(wire);
      if (OWN.has(argumentName) || (isList && OF_ALL.has(argumentName)))
        throw new Error(`${name}: ${argumentName} is a parameter of the Python client`);
      const isRequired = isNonNullType(type) && defaultValue === undefined;
      const given = this.#named.given(wire, type);
      const isOptional = !isRequired && !given.endsWith(' | None');
      return {
        wire,
        name: argumentName,
        type: isOptional ? `${given} | None` : given,
        isRequired,
        description: described.get(wire),
      };
    });
  }

  /** Descriptions of the arguments that take a variable. */
  #descriptions(operation: OperationDefinitionNode): Map<string, string | null | undefined> {
    const found = new Map<string, string | null | undefined>();
    const info = new TypeInfo(this.#document.schema);
    const visitor = visitWithTypeInfo(info, {
      Argument({ value }) {
        if (value.kind === Kind.VARIABLE && !found.has(value.name.value))
          found.set(value.name.value, info.getArgument()?.description);
      },
    });
    visit(withFragments(operation, this.#document.fragments as ReadonlyMap<string, FragmentDefinitionNode>), visitor);
    return found;
  }

  /** What a method returns. A root field that is null comes with an error, which is raised. */
  #result({ name, answer, nullable }: Method): string {
    const inner = `${answer}`.replace(/!$/, '');
    const list = /^\[(\w+)(!?)\]$/.exec(inner);
    const named = list ? (list[1] ?? '') : inner;
    const type = SCALARS[named] ?? named;
    if (SCALARS[named] === undefined && !this.#models.has(named))
      throw new Error(`${name}: the Python client needs a fragment ${named}`);
    const whole = list ? `list[${type}${list[2] ? '' : ' | None'}]` : type;
    return `${whole}${nullable ? ' | None' : ''}`;
  }

  #isList({ kind, answer }: Method): boolean {
    return kind !== OperationTypeNode.SUBSCRIPTION && `${answer}`.replace(/!$/, '').endsWith('Connection');
  }

  #listClass(method: Method, isAsync: boolean): string {
    const all = this.#arguments.get(method) ?? [];
    const filters = all.filter(({ wire }) => !OF_PAGES.has(wire));
    const connection = `${method.answer}`.replace(/!$/, '');
    const pages = `${isAsync ? 'Async' : ''}Pages[${[...this.#models.entriesOf(connection), connection].join(', ')}]`;
    const place = ['page_size: int = 50', 'limit: int | None = None', 'after: str | None = None'];
    const about = [
      ...describe(filters),
      ...argument('page_size', 'Entries per page, 1 to 100.', 92),
      ...argument('limit', 'Maximum number of entries.', 92),
      ...argument('after', 'Starts after this cursor.', 92),
    ];
    const run = `documents.${constant(method.name)}`;
    return (
      `class ${listName(method, isAsync)}(${isAsync ? 'AsyncListMethod' : 'ListMethod'}):\n` +
      `${docstring(method.description || `The list ${method.name}.`, '    ')}\n` +
      `${definition('__call__', [...parametersOf(all), CALL_OPTIONS], this.#result(method), isAsync)}` +
      `${docstring('Reads one page.', '        ', describe(all))}` +
      `        return ${isAsync ? 'await ' : ''}self._page(${run}, ${variablesOf(all)}, options)\n\n` +
      `${definition('all', [...parametersOf(filters), ...place, CALL_OPTIONS], pages, false)}` +
      `${docstring('Iterates over all pages.', '        ', about)}` +
      `        return self._all(${run}, ${variablesOf(filters)}, page_size, limit, after, options)\n`
    );
  }

  #member(method: Method, isAsync: boolean): string {
    const name = methodName(method.name);
    if (BY_HAND.has(name)) throw new Error(`${name} is a method of the Python client already`);
    const run = `documents.${constant(method.name)}`;
    if (this.#isList(method)) {
      const type = listName(method, isAsync);
      return (
        `    @property\n    def ${name}(self) -> ${type}:\n${docstring(method.description, '        ')}` +
        `        return ${type}(self)\n`
      );
    }
    const all = this.#arguments.get(method) ?? [];
    const about = docstring(method.description, '        ', describe(all));
    const result = this.#result(method);
    if (method.kind === OperationTypeNode.SUBSCRIPTION) {
      const stream = isAsync ? `AsyncGenerator[${result}, None]` : `Generator[${result}, None, None]`;
      const parameters = [...parametersOf(all), 'options: FollowOptions | None = None'];
      return (
        `${definition(name, parameters, stream, false)}${about}        ` +
        `return self._follow(${run}, ${variablesOf(all)}, options)\n`
      );
    }
    const parameters = [...parametersOf(all), CALL_OPTIONS];
    return (
      `${definition(name, parameters, result, isAsync)}${about}        return ` +
      `${isAsync ? 'await ' : ''}self._call(${run}, ${variablesOf(all)}, options)\n`
    );
  }
}

function listName({ name }: Method, isAsync: boolean): string {
  return `${isAsync ? 'Async' : ''}${name.charAt(0).toUpperCase()}${name.slice(1)}List`;
}

/** The head of a method, on one line where it fits. */
function definition(name: string, parameters: readonly string[], result: string, isAsync: boolean): string {
  const start = `    ${isAsync ? 'async ' : ''}def ${name}(`;
  const line = `${start}self, *, ${parameters.join(', ')}) -> ${result}:\n`;
  if (line.length <= 100) return line;
  return `${start}\n${['self', '*', ...parameters].map((one) => `        ${one},\n`).join('')}    ) -> ${result}:\n`;
}

function parametersOf(all: readonly Argument[]): string[] {
  return all
    .toSorted((one, other) => Number(other.isRequired) - Number(one.isRequired))
    .map(({ name, type, isRequired }) => `${name}: ${type}${isRequired ? '' : ' = None'}`);
}

function describe(all: readonly Argument[]): string[] {
  return all.flatMap(({ name, description }) => argument(name, description, 92));
}

function variablesOf(all: readonly Argument[]): string {
  return `{${all.map(({ wire, name }) => `${quoted(wire)}: ${name}`).join(', ')}}`;
}

function textOf(fragment: string): string {
  return `_${constant(fragment)}`;
}
