import { childrenOf, type Node, parseModule } from './messages.ts';

/** A text that people read and that is in no message. */
export interface Untranslated {
  readonly line: number;
  readonly text: string;
}

/** Attributes whose values are never read by people. */
const TECHNICAL_ATTRIBUTES =
  /^(?:className|class|to|href|src|id|type|role|d|viewBox|autoComplete|sizes|key|rel|lang|accept|aria-keyshortcuts)$/;
/** Elements whose text is code. */
const CODE_ELEMENTS = new Set(['code', 'kbd', 'pre', 'samp']);
/** Names of keys and of products. */
const NAMES = /^(?:Enter|Escape|Tab|Backspace|Edge|Opera|Firefox|Chrome|Safari|Android|Windows|Linux|GraphQL)$/;
/** Style values, media queries, selectors of attributes and paths of SVG. */
const TECHNICAL_TEXT =
  /^(?:min|max|calc|clamp)\(|^\((?:prefers|min|max)-|\[|^[M\d][\d.]* ?[\d.]|^Arrow|^; |Error$|^Samsung |^Reelgraph$/;
/** Selectors of elements. */
const ELEMENTS = /^(?:a|button|li|main|section|summary)(?:,? (?:a|button|li|main|section|summary))+$/;

/** Texts in a module that are outside of messages: a heuristic that errs on the side of text. */
export function untranslatedIn(file: string, code: string): Untranslated[] {
  const found: Untranslated[] = [];
  const add = ({ start }: Node, text: string): void => {
    found.push({ line: code.slice(0, start).split('\n').length, text: text.trim() });
  };
  visit(parseModule(file, code), add);
  return found;
}

function visit(node: Node, add: (node: Node, text: string) => void): void {
  if (isExempt(node)) return;
  if (node.type === 'JSXText' && /\p{L}/u.test(node.value)) add(node, node.value);
  if (node.type === 'Literal' && typeof node.value === 'string' && readsAsText(node.value)) add(node, node.value);
  if (node.type === 'TemplateLiteral') {
    const texts = (node.quasis as Node[]).map(({ value }) => value.cooked as string);
    if (readsAsTemplate(texts)) add(node, texts.join('…'));
  }
  if (node.type === 'JSXElement' && isCode(node)) {
    visit(node.openingElement, add);
    return;
  }
  for (const child of childrenOf(node)) visit(child, add);
}

/** Whether nothing below a node is text for people. */
function isExempt(node: Node): boolean {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
    case 'ImportExpression':
      return true;
    case 'JSXAttribute':
      return TECHNICAL_ATTRIBUTES.test(String(node.name.name));
    case 'TaggedTemplateExpression':
      return node.tag.name === 't';
    case 'CallExpression':
      return ['tc', 'plural'].includes(node.callee.name) || isTechnicalCall(node.callee);
    case 'NewExpression':
      return /(?<!Api)Error$/.test(node.callee.name ?? '');
    case 'JSXElement':
      return node.openingElement.name.name === 'Trans';
    case 'BinaryExpression':
      return ['===', '!=='].includes(node.operator);
    case 'MemberExpression': // ['Home', 'End'].includes(…)
      return node.object.type === 'ArrayExpression';
    case 'Property':
      return /class(?:Name|es)?$|^keys$/i.test(node.key.name ?? '');
    case 'VariableDeclarator':
      return /class(?:es)?$|^CLASS|_CLASS(?:ES)?$/i.test(node.id.name ?? '');
    default:
      return node.type.startsWith('TS') && !/^TS(?:As|Satisfies|NonNull)/.test(node.type);
  }
}

/** Calls with selectors, names of events and lines of logs. */
const isTechnicalCall = (callee: Node): boolean =>
  callee.object?.name === 'console' ||
  /^(?:on|closest|matches|querySelector\w*)$/.test(callee.name ?? callee.property?.name ?? '');

const isCode = (element: Node): boolean => CODE_ELEMENTS.has(element.openingElement.name.name);

/** A capitalised word, or words that are no classes, no address and no code. */
function readsAsText(value: string): boolean {
  const text = value.trim();
  if (NAMES.test(text) || TECHNICAL_TEXT.test(text) || ELEMENTS.test(text)) return false;
  if (
    /^\p{Lu}\p{Ll}+[.…]?$/u.test(text) ||
    /^\p{Lu}\p{Ll}+-\p{Ll}+ /u.test(text) ||
    /^[a-z]+(?: [a-z]+)+[.…]?$/.test(text)
  )
    return true;
  const isCode = (word: string): boolean => /[a-z\d]-[a-z\d[]|[:/_]|^[a-z\d.]+$/.test(word);
  return /\p{L}{2,}.*[\s…]|\s.*\p{L}{2,}/u.test(text) && !text.split(/\s+/).every(isCode);
}

/** A template of which a part has words beside spaces. */
const readsAsTemplate = (parts: readonly string[]): boolean =>
  !TECHNICAL_TEXT.test(parts[0] ?? '') &&
  !parts.some((part) => /[a-z]-[a-z\d]|[/=&#_]/.test(part)) &&
  parts.some((part) => /\s\p{L}{2,}|\p{L}{2,}\s/u.test(part));
