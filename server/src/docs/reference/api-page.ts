import type { GraphQLSchema } from 'graphql';
import { type ApiVersions, apiVersions } from '../../kernel/api-versions.ts';
import { type DocPage, summaryOf } from '../doc-page.ts';
import { isPreview } from './lifecycle-notes.ts';
import { type Operation, operationsOf } from './operation-pages.ts';
import { paragraphs, table, typePath } from './type-links.ts';
import { kindOf, typesOf } from './type-pages.ts';

const KINDS = {
  object: 'Objects',
  interface: 'Interfaces',
  union: 'Unions',
  enum: 'Enums',
  input: 'Inputs',
  scalar: 'Scalars',
} as const;

/** /docs/api: all operations, grouped by subject (the first word of their permission), and all types. */
export function apiPage(schema: GraphQLSchema, versions: ApiVersions = apiVersions): DocPage {
  const groups = Map.groupBy(operationsOf(schema), ({ access }) => access.split(':')[0] ?? '');
  const types = Map.groupBy(typesOf(schema), kindOf);
  const operations = [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([group, members]) => [
      `## ${headingOf(group)}`,
      table(['Operation', 'Kind', 'Meaning'], members.map(row)),
    ]);
  const lists = Object.entries(KINDS).flatMap(([kind, heading]) => {
    const found = types.get(kind as keyof typeof KINDS) ?? []; // Object.entries loses the literal type
    return found.length === 0
      ? []
      : [`### ${heading}`, found.map(({ name }) => `[${name}](${typePath(name)})`).join(' · ')];
  });
  return {
    path: '/docs/api',
    section: 'Reference',
    markdown: paragraphs(
      '# API reference',
      'Every operation below is called at one endpoint, `POST /graphql`, or at the address of a ' +
        `[version](/docs/guides/versions), \`POST /graphql/${versions.current}\`. Each page has the arguments, who ` +
        'may call it, the cost, and an example that the tests run. [Sign in](/sign-in?next=%2Fdocs%2Fapi) to run ' +
        'them on the pages, with your account.',
      'Send `Authorization: Bearer <key>`. Lists are connections: `first` and `after`, or `last` and `before`; ' +
        '20 entries by default, 100 at most. Ids are DIDs, instants are UTC.',
      'The whole schema, for code generators, linters and editors: [/schema.graphql](/schema.graphql), or of a ' +
        `version, \`/graphql/${versions.current}/schema.graphql\`, without a key. What is deprecated, and until ` +
        'when: [deprecations](/docs/deprecations).',
      ...operations,
      '## Types',
      ...lists,
    ),
  };
}

function headingOf(group: string): string {
  const words = group.replaceAll('_', ' ');
  if (words === 'public') return 'For everyone';
  return words === 'authenticated'
    ? 'For every credential'
    : `${words.charAt(0).toUpperCase()}${words.slice(1)}`.replace('Api', 'API');
}

function row({ kind, field, path }: Operation): string[] {
  const summary = summaryOf({ path, section: 'Queries', markdown: `# x\n\n${field.description ?? ''}` });
  const state = `${isPreview(field) ? 'Preview. ' : ''}${field.deprecationReason ? 'Deprecated. ' : ''}`;
  return [`[${field.name}](${path})`, kind, state + summary.replaceAll('|', '\\|')];
}
