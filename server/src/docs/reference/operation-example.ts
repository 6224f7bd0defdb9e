import { readdir, readFile } from 'node:fs/promises';
import type { OperationTypeNode } from 'graphql';

/** A recorded call of a root field: docs/examples/<kind>/<name>.graphql, with the .json beside it. */
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

/** All examples, by `kind name`: `mutation publishContent`. Throws for missing files and invalid JSON. */
export async function readExamples(folder: URL = EXAMPLES): Promise<Map<string, OperationExample>> {
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.graphql'));
  const examples = await Promise.all(
    files.map(async (file) => {
      const document = await readFile(new URL(file, folder), 'utf8');
      const rest = JSON.parse(await readFile(new URL(file.replace(/graphql$/, 'json'), folder), 'utf8')) as Omit<
        OperationExample,
        'document'
      >; // written by scripts/record-examples.ts
      const [kind = '', name = ''] = file.replace('.graphql', '').split('/');
      return [exampleKey(kind, name), { document, ...rest }] as const;
    }),
  );
  return new Map(examples);
}

/** The key of an example in the map. */
export function exampleKey(kind: OperationTypeNode | string, name: string): string {
  return `${kind} ${name}`;
}
