import { readFile } from 'node:fs/promises';

const GUIDES = new URL('../../../docs/guides/', import.meta.url);

/** The blocks of code of a guide that are in a language, in order: what a reader pastes. */
export async function codeOfGuide(name: string, language: string): Promise<string[]> {
  const text = await readFile(new URL(`${name}.md`, GUIDES), 'utf8');
  return Array.from(text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm), ([, found, code = '']) => ({ found, code }))
    .filter(({ found }) => found === language)
    .map(({ code }) => code);
}
