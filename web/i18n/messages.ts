import { parseSync } from 'vite';
import { joinLines } from '../src/lib/languages.ts';

/**
 * Finds the messages in a module: `t`, `tc`, `plural` and `<Trans>` of `src/lib/i18n.ts`, as ICU messages
 * (https://unicode-org.github.io/icu/userguide/format_parse/messages/). The English message is its key.
 */

/** A node of the syntax tree (ESTree with JSX). */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  // biome-ignore lint/suspicious/noExplicitAny: each type of node has its own fields.
  readonly [field: string]: any;
}

export interface Message {
  /** The English message, with the context in brackets if it has one. */
  readonly key: string;
  readonly node: Node;
  readonly kind: 'text' | 'plural' | 'elements';
  /** The node of each argument by its name. */
  readonly values: ReadonlyMap<string, Node>;
  /** The call of each plural by the name of its number. */
  readonly plurals: ReadonlyMap<string, Node>;
  /** The elements that have text, by the name of their tag in the message. */
  readonly elements: ReadonlyMap<string, Node>;
}

/** The syntax tree of a module. */
export function parseModule(file: string, code: string): Node {
  const { program, errors } = parseSync(file, code, { sourceType: 'module' });
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
  return program as unknown as Node;
}

/** Children of a node in the order of the source. */
export function childrenOf(node: Node): Node[] {
  const nodes = Object.values(node).flat() as unknown[];
  return nodes.filter((value): value is Node => typeof (value as Node | null)?.type === 'string');
}

/** The outermost messages at or below a node. */
export function messagesIn(node: Node, code: string): Message[] {
  const message = messageOf(node, code);
  return message ? [message] : childrenOf(node).flatMap((child) => messagesIn(child, code));
}

/** All keys of a module, those inside of other messages too, by the offset of the message. */
export function keysIn(node: Node, code: string): { readonly key: string; readonly start: number }[] {
  return messagesIn(node, code).flatMap((message) => {
    const inner = [...message.values.values(), ...[...message.elements.values()].flatMap(attributesOf)];
    return [{ key: message.key, start: message.node.start }, ...inner.flatMap((value) => keysIn(value, code))];
  });
}

/** What an element has besides its children. */
export const attributesOf = (element: Node): Node[] => element.openingElement.attributes as Node[];

const calls = (node: Node, name: string): boolean =>
  node.type === 'CallExpression' && node.callee.type === 'Identifier' && node.callee.name === name;

/** The message that a node is; null if it is none. */
function messageOf(node: Node, code: string): Message | null {
  const reader = new MessageReader(node, code);
  if (node.type === 'TaggedTemplateExpression' && node.tag.name === 't') return reader.text();
  if (calls(node, 'tc')) return reader.inContext();
  if (calls(node, 'plural')) return reader.plural();
  if (node.type === 'JSXElement' && nameOfElement(node) === 'Trans') return reader.withElements();
  return null;
}

const nameOfElement = (element: Node): string | undefined => element.openingElement.name.name;

/** The tag of an element in a message: `link` for `<Link>`. */
const tagOf = (element: Node): string => (nameOfElement(element) ?? 'element').toLowerCase();

class MessageReader {
  readonly #node: Node;
  readonly #code: string;
  readonly #values = new Map<string, Node>();
  readonly #plurals = new Map<string, Node>();
  readonly #elements = new Map<string, Node>();

  constructor(node: Node, code: string) {
    this.#node = node;
    this.#code = code;
  }

  text(): Message {
    const { quasis, expressions } = this.#node.quasi as { quasis: Node[]; expressions: Node[] };
    const parts = quasis.map(({ value }, index) => {
      const expression = expressions[index];
      return escapeIcu(joinLines(value.cooked)) + (expression ? this.#value(expression) : '');
    });
    return this.#message(parts.join(''), 'text');
  }

  inContext(): Message {
    const [context, text] = this.#node.arguments as Node[];
    return this.#message(`${escapeIcu(this.#literal(text))} [${this.#literal(context)}]`, 'text');
  }

  plural(): Message {
    return this.#message(this.#value(this.#node), 'plural');
  }

  withElements(): Message {
    return this.#message(this.#children(this.#node), 'elements');
  }

  #message(key: string, kind: Message['kind']): Message {
    const [values, plurals, elements] = [this.#values, this.#plurals, this.#elements];
    return { key, node: this.#node, kind, values, plurals, elements };
  }

  #children(element: Node): string {
    const texts = (element.children as Node[]).map((child) => this.#child(child));
    return texts.join('');
  }

  #child(child: Node): string {
    if (child.type === 'JSXText') return escapeIcu(jsxText(child.value));
    if (child.type === 'JSXElement') {
      if (child.children.length === 0) return `{${this.#name(this.#values, child, tagOf(child))}}`;
      const tag = this.#name(this.#elements, child, tagOf(child));
      return `<${tag}>${this.#children(child)}</${tag}>`;
    }
    const { expression } = child;
    if (expression?.type === 'JSXEmptyExpression') return '';
    if (expression?.type === 'Literal' && typeof expression.value === 'string') return escapeIcu(expression.value);
    if (expression) return this.#value(expression);
    throw this.#fault(child, 'a message consists of text, values and elements');
  }

  #value(expression: Node): string {
    if (!calls(expression, 'plural')) return `{${this.#name(this.#values, expression, nameOf(expression))}}`;
    const [count, forms] = expression.arguments as Node[];
    if (!count || forms?.type !== 'ObjectExpression') throw this.#fault(expression, 'plural takes a number and forms');
    const argument = this.#name(this.#values, count, nameOf(count));
    this.#plurals.set(argument, expression);
    const texts = (forms.properties as Node[]).map(
      ({ key, value }) => `${key.name ?? key.value} {${escapeIcu(this.#literal(value))}}`,
    );
    return `{${argument}, plural, ${texts.join(' ')}}`;
  }

  /** The name of a value or an element: the same source has the same name, another one gets a number. */
  #name(names: Map<string, Node>, node: Node, name: string): string {
    for (let number = 1; ; number += 1) {
      const candidate = number === 1 ? name : `${name}${number}`;
      const known = names.get(candidate);
      if (known && this.#source(known) !== this.#source(node)) continue;
      names.set(candidate, node);
      return candidate;
    }
  }

  #literal(node: Node | undefined): string {
    if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
    throw this.#fault(node ?? this.#node, 'this must be a string without values');
  }

  #source({ start, end }: Node): string {
    return this.#code.slice(start, end);
  }

  #fault({ start }: Node, problem: string): Error {
    return new Error(`line ${this.#code.slice(0, start).split('\n').length}: ${problem}`);
  }
}

/** The name of a value for translators: its last identifier, or that of what it formats. */
function nameOf(node: Node): string {
  switch (node.type) {
    case 'Identifier':
      return node.name;
    case 'MemberExpression':
      return node.computed ? nameOf(node.object) : node.property.name;
    case 'CallExpression': {
      const [first] = node.arguments as Node[];
      const called = node.callee.type === 'MemberExpression' ? node.callee.object : node.callee;
      return first && first.type !== 'Literal' ? nameOf(first) : nameOf(called);
    }
    case 'ChainExpression':
    case 'TSNonNullExpression':
    case 'ParenthesizedExpression':
      return nameOf(node.expression);
    case 'LogicalExpression':
      return nameOf(node.left);
    case 'ConditionalExpression':
      return nameOf(node.consequent);
    default:
      return 'value';
  }
}

/** Text of JSX as React shows it: lines are trimmed and joined with spaces. */
export function jsxText(value: string): string {
  const lines = value.split(/\r\n|\n|\r/);
  return lines
    .map((line, index) => {
      const flat = line.replaceAll('\t', ' ');
      const left = index === 0 ? flat : flat.replace(/^ +/, '');
      return index === lines.length - 1 ? left : left.replace(/ +$/, '');
    })
    .filter((line) => line !== '')
    .join(' ');
}

/** Quotes what ICU would read as syntax. */
const escapeIcu = (text: string): string => text.replace(/[{}<>]+/g, (syntax) => `'${syntax}'`);
