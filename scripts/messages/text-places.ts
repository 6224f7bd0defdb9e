import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ERROR_CATALOGUE } from '../../server/src/kernel/errors.ts';
import { childrenOf, type Node, parseModule } from '../../web/i18n/messages.ts';

/**
 * Finds the places of texts for people in the modules of the server: what becomes the message or the fix of an error,
 * or a part of a mail. It follows constants, parameters and results of functions from there to where the text is.
 */

const ROOT = join(import.meta.dirname, '../..');

export interface Source {
  /** Relative to the root of the repository. */
  readonly file: string;
  readonly code: string;
}

export interface Place {
  readonly source: Source;
  /** A text outside of messages, or an expression that this does not follow. */
  readonly node: Node;
}

/** A place with its text, for people. */
export const writtenAt = ({ source: { file, code }, node }: Place): string =>
  `${file}:${code.slice(0, node.start).split('\n').length}: ${code.slice(node.start, node.end)}`;

export interface Places {
  /** String and template literals, and sums of them. */
  readonly texts: readonly Place[];
  readonly unknown: readonly Place[];
}

/** Arguments with a text, by the names of classes and functions. */
const ARGUMENTS: Readonly<Record<string, number>> = { AppError: 1, HttpError: 2, StorageFullError: 0 };
/** Functions whose arguments are texts. */
const FUNCTIONS = new Set(['sentences']);
/** Properties with a text, of all objects. */
const PROPERTIES = new Set(['suggestedFix', 'fix', 'howToBecomeEligible', 'refusal', 'decision']);
/** Properties that are texts beside one of those. */
const BESIDE = new Set(['message', 'reason']);
/** Properties of a mail, which is an object with the first two of them. */
const MAIL = new Set(['subject', 'paragraphs', 'label', 'reason']);

interface Module {
  readonly source: Source;
  readonly tree: Node;
  /** All of the tree. */
  readonly nodes: readonly Node[];
  readonly parents: Map<Node, Node>;
  readonly imports: Map<string, { readonly file: string; readonly name: string }>;
}

export function placesIn(sources: readonly Source[]): Places {
  const program = programOf(sources);
  const { texts, unknown } = new Search(program).run();
  return { texts: [...texts, ...new Search(program).wordsInValues()], unknown };
}

interface Program {
  readonly modules: ReadonlyMap<string, Module>;
  /** Calls by the name that is called. */
  readonly calls: ReadonlyMap<string, readonly { readonly module: Module; readonly node: Node }[]>;
}

function programOf(sources: readonly Source[]): Program {
  const modules = sources.map(moduleOf);
  const calls = modules.flatMap((module) =>
    module.nodes.flatMap((node) => (calledName(node) === undefined ? [] : [{ module, node }])),
  );
  return {
    modules: new Map(modules.map((module) => [module.source.file, module])),
    calls: Map.groupBy(calls, ({ node }) => calledName(node) ?? ''),
  };
}

class Search {
  readonly #program: Program;
  readonly #seen = new Set<Node>();
  readonly #texts: Place[] = [];
  readonly #unknown: Place[] = [];
  readonly #parameters = new Set<string>();

  constructor(program: Program) {
    this.#program = program;
  }

  run(): Places {
    for (const module of this.#program.modules.values()) for (const node of module.nodes) this.#start(module, node);
    return { texts: this.#texts, unknown: this.#unknown };
  }

  /** English words that are values of messages. */
  wordsInValues(): Place[] {
    for (const module of this.#program.modules.values())
      for (const node of module.nodes) if (isMessage(node)) this.#values(module, node);
    return this.#texts.filter(({ node }) => hasWords(node));
  }

  #values(module: Module, message: Node): void {
    for (const value of message.quasi.expressions as Node[])
      if (calledName(value) !== 'plural') this.#text(module, value);
  }

  #start(module: Module, node: Node): void {
    if (node.type === 'NewExpression') {
      const index = ARGUMENTS[node.callee.name ?? ''];
      const argument = index === undefined ? undefined : (node.arguments as Node[])[index];
      if (argument) this.#text(module, argument);
    }
    if (node.type === 'CallExpression' && FUNCTIONS.has(node.callee.name ?? ''))
      for (const argument of node.arguments as Node[]) this.#text(module, argument);
    if (node.type === 'Property' && PROPERTIES.has(node.key.name ?? '')) this.#text(module, node.value);
    if (node.type === 'Property' && BESIDE.has(node.key.name ?? '') && hasFix(module.parents.get(node)))
      this.#text(module, node.value);
    if (isFailure(node)) this.#text(module, (node.elements as Node[])[1]);
    if (isMail(node)) this.#mail(module, node);
  }

  #mail(module: Module, node: Node): void {
    for (const inner of nodesOf(node))
      if (inner.type === 'Property' && MAIL.has(inner.key.name ?? '')) this.#text(module, inner.value);
  }

  /** Follows an expression whose value is a text. */
  #text(module: Module, node: Node | null | undefined): void {
    if (!node || this.#seen.has(node)) return;
    this.#seen.add(node);
    switch (node.type) {
      case 'Literal':
        if (typeof node.value === 'string' && /\p{L}{2}.*[\s.]|^\p{Lu}\p{Ll}/u.test(node.value))
          this.#texts.push({ source: module.source, node });
        return;
      case 'TemplateLiteral':
        this.#texts.push({ source: module.source, node });
        return;
      case 'BinaryExpression':
        this.#texts.push({ source: module.source, node });
        return;
      case 'TaggedTemplateExpression':
        return;
      case 'ConditionalExpression':
        this.#text(module, node.consequent);
        this.#text(module, node.alternate);
        return;
      case 'LogicalExpression':
        if (node.operator !== '&&') this.#text(module, node.left);
        this.#text(module, node.right);
        return;
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
      case 'TSNonNullExpression':
      case 'ParenthesizedExpression':
      case 'SpreadElement':
        this.#text(module, node.expression ?? node.argument);
        return;
      case 'ArrayExpression':
        for (const element of node.elements as Node[]) this.#text(module, element);
        return;
      case 'ObjectExpression':
        for (const property of node.properties as Node[]) this.#text(module, property.value);
        return;
      case 'ArrowFunctionExpression':
      case 'FunctionDeclaration':
      case 'FunctionExpression':
        this.#results(module, node);
        return;
      case 'Identifier':
        if (node.name !== 'undefined') this.#identifier(module, node, node.name);
        return;
      case 'MemberExpression':
        this.#member(module, node);
        return;
      case 'CallExpression':
        this.#call(module, node);
        return;
      default:
        this.#unknown.push({ source: module.source, node });
    }
  }

  #results(module: Module, fn: Node): void {
    if (fn.body?.type !== 'BlockStatement') {
      this.#text(module, fn.body);
      return;
    }
    const visit = (node: Node): void => {
      if (/Function/.test(node.type)) return;
      if (node.type === 'ReturnStatement') this.#text(module, node.argument);
      else childrenOf(node).forEach(visit);
    };
    visit(fn.body);
  }

  #call(module: Module, node: Node): void {
    const { callee } = node;
    const method = methodCalled(node);
    if (method !== undefined) {
      const owner = methodsOf(module, method)[0];
      if (owner) {
        this.#results(module, owner);
        return;
      }
    }
    if (callee.type === 'Identifier') {
      const found = this.#definition(module, node, callee.name);
      if (found && /Function/.test(found.node.type)) {
        this.#results(found.module, found.node);
        return;
      }
    }
    this.#unknown.push({ source: module.source, node });
  }

  #member(module: Module, node: Node): void {
    const found = node.object.type === 'Identifier' ? this.#definition(module, node, node.object.name) : undefined;
    if (found?.node.type === 'ObjectExpression') {
      for (const property of found.node.properties as Node[])
        if (node.computed || property.key?.name === node.property.name) this.#text(found.module, property.value);
      return;
    }
    this.#unknown.push({ source: module.source, node });
  }

  #identifier(module: Module, at: Node, name: string): void {
    const found = this.#definition(module, at, name);
    if (!found) this.#unknown.push({ source: module.source, node: at });
    else if ('parameter' in found) this.#parameter(found);
    else this.#text(found.module, found.node);
  }

  /** The texts that a parameter gets: its default, and the argument of each call. */
  #parameter({ module, node, parameter: [owner, index, property] }: Parameter): void {
    if (node.type === 'AssignmentPattern') this.#text(module, node.right);
    const name = nameOfFunction(module, owner);
    if (name === undefined) {
      this.#unknown.push({ source: module.source, node });
      return;
    }
    const key = `${module.source.file} ${owner.start} ${index} ${property}`;
    if (this.#parameters.has(key)) return;
    this.#parameters.add(key);
    for (const call of this.#program.calls.get(name) ?? []) {
      const isOwn = name.startsWith('this.')
        ? call.module === module
        : this.#definition(call.module, call.node, name)?.node === owner;
      if (!isOwn) continue;
      const argument = (call.node.arguments as Node[])[index];
      if (!argument) continue;
      if (property === undefined) this.#text(call.module, argument);
      else if (argument.type === 'ObjectExpression') {
        const given = (argument.properties as Node[]).find(({ key }) => key?.name === property);
        if (given) this.#text(call.module, given.value);
      } else this.#unknown.push({ source: call.module.source, node: argument });
    }
  }

  /** What a name stands for at a node: the initial value of a constant, a function, or a parameter. */
  #definition(module: Module, at: Node, name: string): Definition | Parameter | undefined {
    for (let node: Node | undefined = at; node; node = module.parents.get(node)) {
      if (/Function/.test(node.type)) {
        for (const [index, parameter] of ((node.params ?? []) as Node[]).entries()) {
          const found = bound(parameter, name);
          if (found) return { module, node: found.node, parameter: [node, index, found.property] };
        }
      }
      if (node.type === 'BlockStatement' || node.type === 'Program')
        for (const statement of node.body as Node[]) {
          const found = declared(statement, name);
          if (found) return { module, node: found };
        }
    }
    const imported = module.imports.get(name);
    const from = imported && this.#program.modules.get(imported.file);
    return imported && from ? this.#definition(from, from.tree, imported.name) : undefined;
  }
}

interface Definition {
  readonly module: Module;
  readonly node: Node;
}
interface Parameter extends Definition {
  readonly parameter: readonly [owner: Node, index: number, property: string | undefined];
}

/** The part of a parameter that binds a name, with its property where it is destructured. */
function bound(parameter: Node, name: string): { node: Node; property: string | undefined } | undefined {
  const inner = parameter.type === 'AssignmentPattern' ? parameter.left : parameter;
  if (inner.type === 'Identifier') return inner.name === name ? { node: parameter, property: undefined } : undefined;
  if (inner.type !== 'ObjectPattern') return undefined;
  for (const { key, value } of inner.properties as Node[]) {
    const target = value?.type === 'AssignmentPattern' ? value.left : value;
    if (target?.name === name) return { node: value, property: key.name };
  }
  return undefined;
}

function declared(statement: Node, name: string): Node | undefined {
  const declaration = /^Export/.test(statement.type) ? statement.declaration : statement;
  if (declaration?.type === 'FunctionDeclaration' && declaration.id?.name === name) return declaration;
  if (declaration?.type !== 'VariableDeclaration') return undefined;
  const found = (declaration.declarations as Node[]).find(({ id }) => id.name === name);
  return found && unwrapped(found.init);
}

const unwrapped = (node: Node | undefined): Node | undefined =>
  node && /^TS(?:As|Satisfies|NonNull)/.test(node.type) ? unwrapped(node.expression) : node;

function nameOfFunction(module: Module, owner: Node): string | undefined {
  if (owner.id?.name) return owner.id.name;
  const parent = module.parents.get(owner);
  if (parent?.type === 'VariableDeclarator') return parent.id.name;
  if (parent?.type === 'MethodDefinition' && parent.kind === 'method') return `this.${memberName(parent.key)}`;
  return undefined;
}

const calledName = (node: Node): string | undefined => {
  if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return undefined;
  return methodCalled(node) ?? node.callee.name;
};

/** `this.#refused` as `this.refused`. */
const methodCalled = (node: Node): string | undefined =>
  node.callee?.type === 'MemberExpression' && node.callee.object.type === 'ThisExpression'
    ? `this.${memberName(node.callee.property)}`
    : undefined;

const memberName = (key: Node): string => (key.type === 'PrivateIdentifier' ? `#${key.name}` : key.name);

const methodsOf = ({ nodes }: Module, name: string): Node[] =>
  nodes.flatMap((node) =>
    node.type === 'MethodDefinition' && `this.${memberName(node.key)}` === name ? [node.value as Node] : [],
  );

/** The arguments of an error: its code, its message and more. */
const isFailure = (node: Node): boolean =>
  node.type === 'ArrayExpression' && node.elements.length > 1 && isCode(node.elements[0]);

const isCode = (node: Node | null | undefined): boolean => node?.type === 'Literal' && node.value in ERROR_CATALOGUE;

const isMessage = (node: Node): boolean =>
  node.type === 'TaggedTemplateExpression' && ['t', 'phrase'].includes(node.tag.name);

/** Whether a string has words that follow each other, or a place for one. */
function hasWords(node: Node): boolean {
  const written = nodesOf(node).map(({ type, value }) =>
    type === 'TemplateElement' ? value.cooked : type === 'Literal' ? value : '',
  );
  return written.some((text) => typeof text === 'string' && /\p{Ll}{2,} (?:\p{Ll}{2,}|$)|^ \p{Ll}{2,}/u.test(text));
}

const isMail = (node: Node): boolean =>
  node.type === 'ObjectExpression' &&
  ['subject', 'paragraphs'].every((name) => (node.properties as Node[]).some(({ key }) => key?.name === name));

const hasFix = (object: Node | undefined): boolean =>
  object?.type === 'ObjectExpression' &&
  (object.properties as Node[]).some(
    ({ key, value }) => PROPERTIES.has(key?.name ?? '') || (key?.name === 'code' && isCode(value)),
  );

function moduleOf(source: Source): Module {
  const tree = parseModule(source.file, source.code);
  const nodes = nodesOf(tree);
  const parents = new Map<Node, Node>();
  const imports = new Map<string, { readonly file: string; readonly name: string }>();
  for (const node of nodes) {
    for (const child of childrenOf(node)) parents.set(child, node);
    if (node.type !== 'ImportDeclaration') continue;
    const file = join(dirname(source.file), node.source.value);
    for (const { local, imported } of node.specifiers as Node[])
      if (imported) imports.set(local.name, { file, name: imported.name });
  }
  return { source, tree, nodes, parents, imports };
}

function nodesOf(tree: Node): Node[] {
  const nodes = [tree];
  for (let at = 0; at < nodes.length; at += 1) nodes.push(...childrenOf(nodes[at] as Node)); // no gap in an array
  return nodes;
}

/** What has no texts for people of other languages: tests, tools for agents, the documentation, the command line. */
const EXEMPT =
  /\.(?:test|fixture|contract)\.ts$|(?:^|[/.])testing(?:\/|\.ts$)|^server\/src\/(?:mcp|docs(?!\/legal)|domains\/delivery\/verification)\/|\/(?:admin(?:-commands?)?|event-examples)\.ts$|\/demo[\w-]*\.ts$/;

/** The modules of the server that have texts. */
export function sourcesOfServer(): Source[] {
  const files = globSync('server/src/**/*.ts', { cwd: ROOT }).filter((file) => !EXEMPT.test(file));
  return files.sort().map((file) => ({ file, code: readFileSync(join(ROOT, file), 'utf8') }));
}
