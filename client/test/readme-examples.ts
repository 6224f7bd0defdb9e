/** A block of code of the README that is run. */
export interface Example {
  /** Heading it stands below and its number there: `Uploads 2`. */
  readonly name: string;
  readonly code: string;
}

/** What examples require: created by earlier examples or by their runner. */
export const SURROUNDINGS = ['client', 'console', 'contentId', 'playlistId'] as const;

const IMPORT = /^import .*;\n?/gm;

/**
 * Blocks of TypeScript in a text of Markdown. Throws for one that is not marked with `run`: nothing untried is shown.
 */
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
 * An example as a module: its imports, and a function that takes the surroundings which the example does not make
 * itself. `replaced` are texts of the documentation that stand for something else here. A `server` it makes is
 * answered, to be closed.
 */
export function moduleOf({ code }: Example, replaced: Readonly<Record<string, string>>): string {
  const imports = code.match(IMPORT) ?? [];
  let body = code.replace(IMPORT, '');
  for (const [text, other] of Object.entries(replaced)) body = body.replaceAll(text, other);
  const taken = SURROUNDINGS.filter((name) => new RegExp(`\\b${name}\\b`).test(body) && !makes(body, name));
  const answer = makes(body, 'server') ? '\nreturn server;' : '';
  return (
    `import type { Surroundings } from './surroundings.ts';\n${imports.join('')}\nexport default async function ` +
    `example({ ${taken.join(', ')} }: Surroundings) {\n${body}${answer}\n}\n`
  );
}

function makes(code: string, name: string): boolean {
  return new RegExp(`^(const|let)\\s+(\\{[^}]*\\b${name}\\b[^}]*\\}|${name}\\b)\\s*=`, 'm').test(code);
}
