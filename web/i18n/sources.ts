import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { keysIn, parseModule } from './messages.ts';
import { type Untranslated, untranslatedIn } from './untranslated.ts';

const WEB = join(import.meta.dirname, '..');

/** Modules without texts of the application: tests, generated files, drawings, and the page of components. */
const EXEMPT =
  /\.test\.ts$|fixture|\/gql\/(?!generated\/event-types)|src\/lib\/(?:i18n|languages)\.ts$|src\/ui\/icons\.tsx$|src\/features\/components\//;

/** The modules of the application, and the pages with texts of their own. */
const modules = (): string[] =>
  globSync('src/**/*.{ts,tsx}', { cwd: WEB })
    .filter((file) => !EXEMPT.test(file))
    .sort();

const read = (file: string): string => readFileSync(join(WEB, file), 'utf8');

/** The keys of all messages, each with a place where it is. */
export function allKeys(): ReadonlyMap<string, string> {
  const keys = new Map<string, string>();
  for (const page of ['index.html', 'embed.html'])
    for (const [, content, text] of read(page).matchAll(/ data-message(?: content="([^"]*)"|>([^<]*)<)/g))
      keys.set(content ?? text ?? '', page);
  for (const file of modules()) {
    const code = read(file);
    for (const { key, start } of keysIn(parseModule(file, code), code))
      if (!keys.has(key)) keys.set(key, `${file}:${code.slice(0, start).split('\n').length}`);
  }
  return keys;
}

/** Texts of the application that are in no message, by file. */
export const allUntranslated = (): (Untranslated & { readonly file: string })[] =>
  modules().flatMap((file) => untranslatedIn(file, read(file)).map((found) => ({ file, ...found })));
