import { readFile } from 'node:fs/promises';

const GUIDES = new URL('../../../docs/guides/', import.meta.url);

/** The code blocks of a guide in a language, in order. */
export async function codeOfGuide(name: string, language: string): Promise<string[]> {
  const text = await readFile(new URL(`${name}.md`, GUIDES), 'utf8');
  return Array.from(text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm), ([, found, code = '']) => ({ found, code }))
    .filter(({ found }) => found === language)
    .map(({ code }) => code);
}
