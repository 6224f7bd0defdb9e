import { join } from 'node:path';
import { joinLines, keyOfArgument, keyOf as keyOfText } from '../../server/src/kernel/languages/message.ts';
import { childrenOf, type Node, parseModule } from '../../web/i18n/messages.ts';
import type { Source } from './text-places.ts';

/** The catalog of the server in a language. */
export const serverCatalogPath = (language: string): string =>
  join(import.meta.dirname, `../../server/messages/${language}.json`);

/** The keys of all messages in modules, each with a place: `t` and `phrase` of `kernel/languages/message.ts`. */
export function serverKeys(sources: readonly Source[]): ReadonlyMap<string, string> {
  const keys = new Map<string, string>();
  for (const { file, code } of sources) {
    if (!/\b(?:t|phrase)`/.test(code)) continue;
    const visit = (node: Node): void => {
      if (isMessage(node)) {
        const key = keyOf(node, file);
        if (hasWords(key) && !keys.has(key)) keys.set(key, `${file}:${code.slice(0, node.start).split('\n').length}`);
      }
      childrenOf(node).forEach(visit);
    };
    visit(parseModule(file, code));
  }
  return keys;
}

const isMessage = (node: Node): boolean =>
  node.type === 'TaggedTemplateExpression' && ['t', 'phrase'].includes(node.tag.name);

/** Whether there is something to translate beside values. */
const hasWords = (key: string): boolean => /\p{L}/u.test(key.replace(/\{\d+\}/g, ''));

/** The key as `phrase` builds it when it runs. */
function keyOf(node: Node, file: string): string {
  const { quasis, expressions } = node.quasi as { quasis: Node[]; expressions: Node[] };
  const parts = quasis.map(({ value }, index) => {
    const text = keyOfText(joinLines(value.cooked as string));
    const expression = expressions[index];
    return expression ? text + argument(index, expression, file) : text;
  });
  const key = parts.join('');
  if (/'\{\d/.test(key)) throw new Error(`${file}: an apostrophe before a value would quote it: ${key}`);
  return key;
}

function argument(index: number, expression: Node, file: string): string {
  if (expression.type !== 'CallExpression' || expression.callee.name !== 'plural') return keyOfArgument(index, null);
  const [, forms] = expression.arguments as Node[];
  const form = (name: string): string => {
    const found = ((forms?.properties ?? []) as Node[]).find(({ key }) => key.name === name);
    if (typeof found?.value.value === 'string') return found.value.value;
    throw new Error(`${file}: the forms of a plural are written where it is, as strings`);
  };
  return keyOfArgument(index, { one: form('one'), other: form('other') });
}
