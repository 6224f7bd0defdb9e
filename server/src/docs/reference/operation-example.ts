import { readdir, readFile } from 'node:fs/promises';
import type { OperationTypeNode } from 'graphql';

/** A recorded call of a root field: `docs/examples/<kind>/<name>.md`. */
export interface OperationExample {
  readonly document: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Its requested cost, in points. */
  readonly cost: number;
  /** The data of the response; null for subscriptions, which have many. */
  readonly answer: unknown;
}

/** The folder of the examples, with a subfolder for each kind of operation. */
export const EXAMPLES = new URL('../../../../docs/examples/', import.meta.url);

const TEXT =
  /^# `\w+`\n\nCosts (\d+) points?\.\n\n```graphql\n(.*?)```\n\nVariables:\n\n```json\n(.*?)```\n\nResponse:\n\n```json\n(.*?)```\n$/s;

/** All examples, by `kind name`: `mutation publishContent`. Throws for files that {@link exampleText} did not write. */
export async function readExamples(folder: URL = EXAMPLES): Promise<Map<string, OperationExample>> {
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.md'));
  const examples = await Promise.all(
    files.map(async (file) => {
      const [kind = '', name = ''] = file.replace('.md', '').split('/');
      return [exampleKey(kind, name), parseExample(file, await readFile(new URL(file, folder), 'utf8'))] as const;
    }),
  );
  return new Map(examples);
}

/** The file of an operation's example, in Markdown. */
export function exampleText(name: string, { document, variables, cost, answer }: OperationExample): string {
  const json = (value: unknown) => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\`\n`;
  return `# \`${name}\`

Costs ${cost} ${cost === 1 ? 'point' : 'points'}.

\`\`\`graphql
${document.trimEnd()}
\`\`\`

Variables:

${json(variables)}
Response:

${json(answer)}`;
}

function parseExample(file: string, text: string): OperationExample {
  const [, cost, document, variables, answer] = TEXT.exec(text) ?? [];
  if (!document || !variables || !answer) throw new Error(`${file} is no example. Run: npm run record-examples`);
  const values = JSON.parse(variables) as Record<string, unknown>; // the variables of a request are an object
  return { document, variables: values, cost: Number(cost), answer: JSON.parse(answer) };
}

/** The key of an example in the map. */
export function exampleKey(kind: OperationTypeNode | string, name: string): string {
  return `${kind} ${name}`;
}
