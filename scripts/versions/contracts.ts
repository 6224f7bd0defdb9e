import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { buildSchema, type GraphQLSchema } from 'graphql';
import { printedSchema } from '../../server/src/gql/printed-schema.ts';
import { schemaElements } from '../../server/src/gql/schema-elements.ts';
import { SchemaVersions } from '../../server/src/gql/schema-versions.ts';
import { type ApiVersion, apiVersions, PREVIEW } from '../../server/src/kernel/api-versions.ts';
import { type ChangelogSection, changelogPage } from './changelog.ts';
import { describeChange, type SchemaChange, schemaChanges } from './schema-changes.ts';

/** The current version as the latest release of the platform had it; only `npm run release-schema` writes it. */
export const RELEASED = 'docs/versions/released.graphql';
const CHANGELOG = 'docs/versions/changelog.md';

export function contractPath(version: string): string {
  return `docs/versions/${version}.graphql`;
}

/** The contracts that may still change, as the declarations make them, and the changelog. */
export async function versionFiles(whole: GraphQLSchema): Promise<{ path: string; text: string }[]> {
  const schemas = new SchemaVersions(whole, apiVersions);
  const open = apiVersions.all.filter(({ publishedOn }) => publishedOn === null);
  const contracts = new Map<string, GraphQLSchema>();
  for (const { name, publishedOn } of apiVersions.all)
    contracts.set(name, publishedOn === null ? schemas.of(name) : await readContract(contractPath(name)));
  return [
    ...open.map(({ name }) => ({ path: contractPath(name), text: printedSchema(schemas.of(name)) })),
    { path: CHANGELOG, text: changelogPage(sectionsOf(contracts, schemas)) },
  ];
}

/** Null when every version still keeps the contract that it was published with. */
export async function findBrokenContracts(whole: GraphQLSchema, decisions: string): Promise<string | null> {
  const schemas = new SchemaVersions(whole, apiVersions);
  const broken: string[] = [];
  const published = apiVersions.all.filter(({ publishedOn, retiredOn }) => publishedOn !== null && retiredOn === null);
  for (const { name } of published)
    broken.push(...breaksOf(name, await readContract(contractPath(name)), schemas.of(name), decisions));
  if (existsSync(RELEASED))
    broken.push(...breaksOf(apiVersions.current, await readContract(RELEASED), schemas.current, decisions));
  if (broken.length === 0) return null;
  return [
    'These changes break programs that use a published version of the API. Keep the old element beside the new one,',
    'deprecated and with `until` the version that lacks it (docs/versions/README.md). Only if that is impossible, such',
    'as for a security fix, name the change in a decision in docs/decisions:',
    ...new Set(broken),
  ].join('\n');
}

/** The changes that break a contract and that no decision names, as lines for a decision. */
export function breaksOf(version: string, contract: GraphQLSchema, now: GraphQLSchema, decisions: string): string[] {
  const named = new Set([...decisions.matchAll(/^Breaking .+$/gm)].map(([line]) => line.trim()));
  return schemaChanges(contract, now)
    .filter(({ severity }) => severity === 'breaking')
    .map((change) => `Breaking ${version}: ${describeChange(change)}`)
    .filter((line) => !named.has(line));
}

async function readContract(path: string): Promise<GraphQLSchema> {
  return buildSchema(await readFile(path, 'utf8'));
}

/** The preview, what the current version got since its publication, and each version: the latest first. */
function sectionsOf(contracts: ReadonlyMap<string, GraphQLSchema>, schemas: SchemaVersions): ChangelogSection[] {
  const { all, current, latest } = apiVersions;
  if (all.length === 0) return [unversionedSection(schemas.of(PREVIEW))];
  const isPublished = all.some(({ publishedOn }) => publishedOn !== null);
  const versions = all.map((version, index) => versionSection(version, all[index - 1]?.name, contracts)).reverse();
  const since = isPublished
    ? [
        {
          title: `Additions to ${current}`,
          about: `What ${current} got since its publication, without a new version.`,
          changes: changesBetween(contracts.get(current), schemas.current),
        },
      ]
    : [];
  return [
    previewSection(changesBetween(schemas.of(latest), schemas.of(PREVIEW)), latest),
    ...since.filter(({ changes }) => changes.length > 0),
    ...versions,
  ];
}

function previewSection(changes: readonly SchemaChange[], latest: string): ChangelogSection {
  const about =
    changes.length === 0
      ? `The preview equals ${latest}: nothing is in preparation.`
      : `Compared with ${latest}. It may change at any time.`;
  return { title: 'Preview', about, changes };
}

function unversionedSection(schema: GraphQLSchema): ChangelogSection {
  const about =
    'There is no version before the first release. Until then the contract is [the schema](/schema.graphql), which\n' +
    'may change: the changelog of the platform says how.';
  return { title: 'Preview', about, changes: deprecationsIn(schema) };
}

function versionSection(
  { name, publishedOn }: ApiVersion,
  previous: string | undefined,
  contracts: ReadonlyMap<string, GraphQLSchema>,
): ChangelogSection {
  const schema = `[Schema](/graphql/${name}/schema.graphql).`;
  const state = publishedOn === null ? 'Not published yet: it may change until it is.' : `Published on ${publishedOn}.`;
  const now = contracts.get(name);
  if (previous !== undefined)
    return {
      title: name,
      about: `${state} Compared with ${previous}. ${schema}`,
      changes: changesBetween(contracts.get(previous), now),
    };
  return { title: name, about: `The first version. ${state} ${schema}`, changes: now ? deprecationsIn(now) : [] };
}

function deprecationsIn(schema: GraphQLSchema): SchemaChange[] {
  return schemaElements(schema).flatMap(({ name, reason }) =>
    reason === null ? [] : [{ kind: 'deprecated', severity: 'safe', element: name, detail: reason } as const],
  );
}

function changesBetween(before: GraphQLSchema | undefined, after: GraphQLSchema | undefined): SchemaChange[] {
  return before && after ? schemaChanges(before, after) : [];
}
