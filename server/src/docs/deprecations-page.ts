import type { GraphQLSchema } from 'graphql';
import { schemaElements } from '../gql/schema-elements.ts';
import { firstDayOf } from '../kernel/api-versions.ts';
import type { DocPage } from './doc-page.ts';
import { cell, paragraphs, table } from './type-links.ts';

/** /docs/deprecations: every deprecated element with its dates, the first to go first. */
export function deprecationsPage(schema: GraphQLSchema): DocPage {
  const found = schemaElements(schema)
    .flatMap(({ name, lifecycle }) => (lifecycle?.deprecated ? [{ name, ...lifecycle.deprecated }] : []))
    .sort((a, b) => (a.removal === b.removal ? 0 : a.removal < b.removal ? -1 : 1));
  const rows = found.map(({ name, since, removal, use }) => [`\`${name}\``, day(since), day(removal), cell(use)]);
  return {
    path: '/docs/deprecations',
    section: 'Reference',
    markdown: paragraphs(
      '# Deprecations',
      'Deprecated elements of the GraphQL schema, since when, and the earliest day of their removal.',
      rows.length === 0
        ? 'Nothing is deprecated.'
        : table(['Element', 'Deprecated', 'Removed at the earliest', 'Instead'], rows),
      'An element is removed by a later [version](/docs/versions) of the API, never from a version that has it. ' +
        'Responses to operations that use one have the headers `Deprecation` and `Sunset`, and name it in ' +
        '`extensions.deprecations`: see [versions](/docs/guides/versions#deprecations).',
    ),
  };
}

/** The first day of the version, and its name. */
function day(version: string): string {
  return `${firstDayOf(version)} (version ${version})`;
}
