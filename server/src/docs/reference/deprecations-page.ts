import type { GraphQLSchema } from 'graphql';
import { schemaElements } from '../../gql/schema-elements.ts';
import { firstDayOf } from '../../kernel/api-versions.ts';
import type { DocPage } from '../doc-page.ts';
import { cell, paragraphs, table } from './type-links.ts';

const NEVER = '9999-01';

/** /docs/deprecations: every deprecated element with its dates, the first to go first, those without an end last. */
export function deprecationsPage(schema: GraphQLSchema): DocPage {
  const found = schemaElements(schema)
    .flatMap(({ name, lifecycle }) => (lifecycle?.deprecated ? [{ name, ...lifecycle.deprecated }] : []))
    .sort((a, b) => compare(a.period?.removal ?? NEVER, b.period?.removal ?? NEVER));
  // Headings are not seen on a phone.
  const rows = found.map(({ name, period, use }) => [
    `\`${name}\``,
    period ? `since ${firstDayOf(period.since)}` : 'from the start',
    period ? `not before ${firstDayOf(period.removal)}` : 'not decided',
    cell(use),
  ]);
  return {
    path: '/docs/deprecations',
    section: 'Reference',
    markdown: paragraphs(
      '# Deprecations',
      'Deprecated elements of the GraphQL schema, since when, and the earliest day of their removal. Each day is the ' +
        'first of a version. There is none before the first release.',
      rows.length === 0 ? 'Nothing is deprecated.' : table(['Element', 'Deprecated', 'Removed', 'Instead'], rows),
      'An element is removed by a later [version](/docs/versions) of the API, never from a version that has it. ' +
        'Responses to operations that use one have the headers `Deprecation` and `Sunset`, and name it in ' +
        '`extensions.deprecations`: see [versions](/docs/guides/versions#deprecations).',
    ),
  };
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
