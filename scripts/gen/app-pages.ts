import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import type { GeneratedText } from './web-operations.ts';

const WEB = join(import.meta.dirname, '../../web/src');
const ROUTE = /const (\w+) = createRoute\(\{\s*getParentRoute: \(\) => (\w+),\s*path: '([^']+)'/g;

/** The addresses of the web application's pages, for the server: from the routes in web/src. */
export async function appPages(): Promise<GeneratedText> {
  const texts: string[] = [];
  for await (const file of glob('{router.tsx,routes/**/*.{ts,tsx}}', { cwd: WEB }))
    texts.push(readFileSync(join(WEB, file), 'utf8'));
  const rows = pagePatterns(texts).map((path) => `  '${path}',\n`);
  const text =
    `/** Addresses of the web application's pages, as patterns of routes. Generated from web/src; npm run gen. ` +
    `*/\nexport const APP_PAGES: readonly string[] = [\n${rows.join('')}];\n`;
  return { path: 'server/src/http/web/app-pages.gen.ts', text };
}

/**
 * Patterns of the routes that the sources make: `$name` and `{$name}` are `:name`, and what ends in `$` stands for
 * anything below.
 * Throws for a route with a parent in another source, and for routes in another form.
 */
export function pagePatterns(sources: readonly string[]): string[] {
  return [...new Set(sources.flatMap(patternsOf))].sort();
}

function patternsOf(source: string): string[] {
  const routes = new Map(
    Array.from(source.matchAll(ROUTE), ([, name = '', parent = '', path = '']) => [name, { parent, path }] as const),
  );
  const created = source.match(/= createRoute\(/g)?.length ?? 0;
  if (created !== routes.size)
    throw new Error(
      `${created} routes are created in a file of web/src, ${routes.size} of them in the supported form.`,
    );
  const pathOf = (name: string): string => {
    if (name === 'root') return '';
    const route = routes.get(name);
    if (!route) throw new Error(`A route of web/src has the parent ${name}, which is created elsewhere.`);
    return `${pathOf(route.parent)}${route.path}`.replace(/\/+$/, '');
  };
  return [...routes.keys()].map(
    (name) =>
      pathOf(name)
        .replace(/\$$/, '*')
        .replace(/\{\$(\w+)\}/g, ':$1')
        .replaceAll('$', ':') || '/',
  );
}
