import { glob, readFile } from 'node:fs/promises';
import { buildSchema, findBreakingChanges } from 'graphql';
import { runTool } from '../test-runner/run-tool.ts';

const SCHEMA = 'schema.graphql';
/** The contract as it was last released; only `npm run release-schema` changes it. */
export const RELEASED = 'docs/versions/released.graphql';
const DECISIONS = 'docs/decisions';

/** Findings of graphql-eslint's recommended and Relay rules in a schema; null without any. */
export function findSchemaErrors(path: string = SCHEMA): Promise<string | null> {
  return runTool('eslint', path);
}

/**
 * Changes since the released contract that break its clients and that no decision names. A decision names one by a line
 * `Breaking: <what graphql says of the change>`.
 */
export function unnamedBreakingChanges(released: string, current: string, decisions: string): string[] {
  const named = new Set([...decisions.matchAll(/^Breaking: (.+)$/gm)].map(([, what]) => what?.trim()));
  return findBreakingChanges(buildSchema(released), buildSchema(current))
    .map(({ description }) => description)
    .filter((description) => !named.has(description));
}

/** Null when every breaking change of the committed schema is named in a decision. */
export async function findUndocumentedBreakingChanges(): Promise<string | null> {
  const [released, current, decisions] = await Promise.all([
    readFile(RELEASED, 'utf8'),
    readFile(SCHEMA, 'utf8'),
    allDecisions(),
  ]);
  const unnamed = unnamedBreakingChanges(released, current, decisions);
  if (unnamed.length === 0) return null;
  return (
    'These changes break clients of the released schema. Take them back, or add to a decision in ' +
    `${DECISIONS}:\n${unnamed.map((what) => `Breaking: ${what}`).join('\n')}`
  );
}

async function allDecisions(): Promise<string> {
  const texts: string[] = [];
  for await (const path of glob(`${DECISIONS}/*.md`)) texts.push(await readFile(path, 'utf8'));
  return texts.join('\n');
}
