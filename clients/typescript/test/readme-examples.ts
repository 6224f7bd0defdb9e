/** A code block of the README that the tests run. */
export interface Example {
  /** Its heading and its number below it: `Uploads 2`. */
  readonly name: string;
  readonly code: string;
}

/** What examples require: created by earlier examples or by their runner. */
export const SURROUNDINGS = ['client', 'console', 'contentId', 'playlistId'] as const;

const IMPORT = /^import .*;\n?/gm;

/** TypeScript blocks of a Markdown text. Throws for a block without `run`, because every example is tested. */
export function examplesOf(markdown: string): Example[] {
  const examples: Example[] = [];
  let heading = '';
  let count = 0;
  let open: string[] | null = null;
  for (const [index, line] of markdown.split('\n').entries()) {
    if (open && line === '```') {
      count += 1;
      examples.push({ name: `${heading} ${count}`, code: open.join('\n') });
      open = null;
    } else if (open) open.push(line);
    else if (line.startsWith('#')) [heading, count] = [line.replace(/^#+ /, ''), 0];
    else if (line === '```ts run') open = [];
    else if (/^```(ts|tsx|js|typescript|javascript)\b/.test(line))
      throw new Error(`Line ${index + 1}: this example is not run; begin it with "\`\`\`ts run".`);
  }
  return examples;
}

/**
 * An example as a module: its imports, and a function with the variables that the example does not declare itself.
 * `replaced` maps texts of the documentation to those of the test. The function returns the example's `server`, if any,
 * to be closed.
 */
export function moduleOf({ code }: Example, replaced: Readonly<Record<string, string>>): string {
  const imports = code.match(IMPORT) ?? [];
  let body = code.replace(IMPORT, '');
  for (const [text, other] of Object.entries(replaced)) body = body.replaceAll(text, other);
  const needed = SURROUNDINGS.filter((name) => new RegExp(`\\b${name}\\b`).test(body) && !declares(body, name));
  const ending = declares(body, 'server') ? '\nreturn server;' : '';
  return (
    `import type { Surroundings } from './surroundings.ts';\n${imports.join('')}\nexport default async function ` +
    `example({ ${needed.join(', ')} }: Surroundings) {\n${body}${ending}\n}\n`
  );
}

function declares(code: string, name: string): boolean {
  return new RegExp(`^(const|let)\\s+(\\{[^}]*\\b${name}\\b[^}]*\\}|${name}\\b)\\s*=`, 'm').test(code);
}
