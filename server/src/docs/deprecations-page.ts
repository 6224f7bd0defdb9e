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
  // Headings are not seen on a phone.
  const rows = found.map(({ name, since, removal, use }) => [
    `\`${name}\``,
    `since ${firstDayOf(since)}`,
    `not before ${firstDayOf(removal)}`,
    cell(use),
  ]);
  return {
    path: '/docs/deprecations',
    section: 'Reference',
    markdown: paragraphs(
      '# Deprecations',
      'Deprecated elements of the GraphQL schema, since when, and the earliest day of their removal. Each day is the ' +
        'first of a version: 2027-01-01 is that of 2027-01.',
      rows.length === 0 ? 'Nothing is deprecated.' : table(['Element', 'Deprecated', 'Removed', 'Instead'], rows),
      'An element is removed by a later [version](/docs/versions) of the API, never from a version that has it. ' +
        'Responses to operations that use one have the headers `Deprecation` and `Sunset`, and name it in ' +
        '`extensions.deprecations`: see [versions](/docs/guides/versions#deprecations).',
    ),
  };
}
