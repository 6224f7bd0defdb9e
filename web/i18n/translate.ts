import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import MagicString, { type SourceMap } from 'magic-string';
import { type Message, messagesIn, type Node, parseModule } from './messages.ts';

/** Translations by the English message; those that are missing stay English. */
export type Catalog = Readonly<Record<string, string>>;

/** A module with its messages in another language; null if it has none. */
export function translateModule(
  file: string,
  code: string,
  catalog: Catalog,
): { readonly code: string; readonly map: SourceMap } | null {
  if (!/\bt`|\btc\(|\bplural\(|<Trans>/.test(code)) return null;
  const messages = messagesIn(parseModule(file, code), code);
  if (messages.length === 0) return null;
  const translated = new MagicString(code);
  const translator = new Translator(code, catalog);
  for (const message of messages) {
    translated.overwrite(message.node.start, message.node.end, translator.expression(message));
  }
  return { code: translated.toString(), map: translated.generateMap({ hires: 'boundary', source: file }) };
}

/** The elements of an ICU message. */
export const parseIcu = (message: string): MessageFormatElement[] => parse(message, { shouldParseSkeletons: false });

/** The English message of a key: what precedes the context. */
export const englishOf = (key: string): string => key.replace(/ \[[^\]]+\]$/, '');

/** Writes the expression that replaces a message. */
class Translator {
  readonly #code: string;
  readonly #catalog: Catalog;

  constructor(code: string, catalog: Catalog) {
    this.#code = code;
    this.#catalog = catalog;
  }

  expression(message: Message): string {
    const elements = parseIcu(this.#catalog[message.key] || englishOf(message.key));
    if (message.kind === 'elements') return `<>${this.#jsx(elements, message)}</>`;
    const [only] = elements;
    if (elements.length === 1 && only?.type === TYPE.plural) return this.#plural(only, message);
    return this.#template(elements, message);
  }

  /** A template literal, in a form of a plural with its number. */
  #template(elements: readonly MessageFormatElement[], message: Message, count = ''): string {
    const parts = elements.map((element) => {
      switch (element.type) {
        case TYPE.literal:
          return element.value.replace(/[`\\]|\$\{/g, '\\$&');
        case TYPE.argument:
          return `\${${this.#value(message, element.value)}}`;
        case TYPE.pound:
          return count;
        case TYPE.plural:
          return `\${${this.#plural(element, message)}}`;
        default:
          throw new Error(`"${message.key}" has an element where it can have text only`);
      }
    });
    return `\`${parts.join('')}\``;
  }

  #plural(element: MessageFormatElement & { type: TYPE.plural }, message: Message): string {
    const call = message.plurals.get(element.value);
    const [number, , text] = (call?.arguments ?? [message.values.get(element.value)]) as Node[];
    if (!number) throw new Error(`"${message.key}" has no number ${element.value}`);
    const forms = Object.entries(element.options).map(([name, { value }]) => {
      const isPlain = value.every(({ type }) => type === TYPE.literal || type === TYPE.pound);
      const form = isPlain ? this.#template(value, message, '#') : `(n) => ${this.#template(value, message, '${n}')}`;
      return `${JSON.stringify(name)}: ${form}`;
    });
    const rest = text ? `, ${this.#source(text)}` : '';
    return `plural(${this.#source(number)}, { ${forms.join(', ')} }${rest})`;
  }

  #jsx(elements: readonly MessageFormatElement[], message: Message): string {
    const parts = elements.map((element) => {
      switch (element.type) {
        case TYPE.literal:
          return `{${JSON.stringify(element.value)}}`;
        case TYPE.argument: {
          const value = this.#value(message, element.value);
          return value.startsWith('<') ? value : `{${value}}`;
        }
        case TYPE.plural:
          return `{${this.#plural(element, message)}}`;
        case TYPE.tag: {
          const node = message.elements.get(element.value);
          if (!node) throw new Error(`"${message.key}" has no element ${element.value}`);
          const opening = this.#source(node.openingElement);
          return `${opening}${this.#jsx(element.children, message)}${this.#source(node.closingElement)}`;
        }
        default:
          throw new Error(`"${message.key}" has a part that is not supported`);
      }
    });
    return parts.join('');
  }

  #value(message: Message, name: string): string {
    const node = message.values.get(name);
    if (!node) throw new Error(`"${message.key}" has no value ${name}`);
    return this.#source(node);
  }

  /** The source of a node, with the messages inside translated. */
  #source(node: Node): string {
    let [text, at] = ['', node.start];
    for (const message of messagesIn(node, this.#code)) {
      text += this.#code.slice(at, message.node.start) + this.expression(message);
      at = message.node.end;
    }
    return text + this.#code.slice(at, node.end);
  }
}
