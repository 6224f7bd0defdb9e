import { glob, readFile } from 'node:fs/promises';
import type { GraphQLSchema } from 'graphql';
import { type SchemaElement, schemaElements } from '../../server/src/gql/schema-elements.ts';
import { apiVersions, firstDayOf, monthsAfter, SUPPORT_MONTHS } from '../../server/src/kernel/api-versions.ts';
import { platformSchema } from '../../server/src/schema.ts';
import { runTool } from '../test-runner/run-tool.ts';
import { findBrokenContracts } from '../versions/contracts.ts';

const SCHEMA = 'schema.graphql';
const DECISIONS = 'docs/decisions';
const REASON = /^.+\. Deprecated since (\d{4}-(?:01|04|07|10)); removed in (\d{4}-(?:01|04|07|10)) at the earliest\.$/;

/** Findings of graphql-eslint's recommended and Relay rules in a schema; null without any. */
export function findSchemaErrors(path: string = SCHEMA): Promise<string | null> {
  return runTool('eslint', path);
}

/** Null when every supported version keeps its contract. */
export async function findBreakingChanges(): Promise<string | null> {
  return findBrokenContracts(platformSchema(), await allDecisions());
}

/** Null when deprecations have dates as soon as there are versions, and elements name versions that exist. */
export function findLifecycleProblems(): string | null {
  const versions = apiVersions.all.map(({ name }) => name);
  const problems = lifecycleProblems(platformSchema(), versions);
  return problems.length === 0 ? null : problems.join('\n');
}

/** Problems of what elements declare about their versions, one line each; `versions` are those that there are. */
export function lifecycleProblems(schema: GraphQLSchema, versions: readonly string[]): string[] {
  return schemaElements(schema).flatMap((element) =>
    [...deprecationProblems(element, versions), ...rangeProblems(element, versions)].map(
      (problem) => `${element.name}: ${problem}`,
    ),
  );
}

function deprecationProblems({ reason, lifecycle }: SchemaElement, versions: readonly string[]): string[] {
  if (reason === null) return [];
  const isUndated = lifecycle?.deprecated !== undefined && lifecycle.deprecated.period === undefined;
  if (isUndated && versions.length === 0) return [];
  const [, since, removal] = REASON.exec(reason) ?? [];
  if (since === undefined || removal === undefined)
    return ['declare its deprecation with `lifecycle`: what to use instead, since when, and the earliest removal'];
  const earliest = monthsAfter(firstDayOf(since), SUPPORT_MONTHS);
  return [
    ...(versions.includes(since) ? [] : [`deprecated since ${since}, which is not a version`]),
    ...(firstDayOf(removal) < earliest ? [`removed in ${removal}, less than ${SUPPORT_MONTHS} months later`] : []),
  ];
}

function rangeProblems({ lifecycle }: SchemaElement, versions: readonly string[]): string[] {
  const { preview, since, until, deprecated } = lifecycle ?? {};
  const unknown = [since, until].filter((name) => name !== undefined && !versions.includes(name));
  const removal = deprecated?.period?.removal;
  const isAnnounced = removal !== undefined && until !== undefined && removal <= until;
  return [
    ...unknown.map((name) => `names ${name}, which is not a version`),
    ...(since !== undefined && until !== undefined && since >= until
      ? [`is in no version between ${since} and ${until}`]
      : []),
    ...(until === undefined || isAnnounced ? [] : [`is removed in ${until}, which no deprecation has announced`]),
    ...(preview && (since !== undefined || until !== undefined || deprecated) ? ['is in the preview only'] : []),
  ];
}

async function allDecisions(): Promise<string> {
  const texts: string[] = [];
  for await (const path of glob(`${DECISIONS}/*.md`)) texts.push(await readFile(path, 'utf8'));
  return texts.join('\n');
}
