import type { DocPage } from './doc-page.ts';
import type { Library } from './library.ts';

/** The start page with all sections. */
export function startPages(library: Library): DocPage[] {
  const markdown = `# Reelgraph documentation

Reelgraph is a self-hosted, API-first video platform: upload, process, publish, watch and measure video through one
GraphQL endpoint, with one API key for everything.

New here? [Upload your first video](/docs/guides/first-upload) takes five minutes and a shell.

## Guides

${library.list('Guides')}

## Reference

${library.list('Reference')}
* [OpenAPI](/docs/openapi.json): the REST endpoints (uploads, media, engagement, OAuth, probes) and the webhooks, for
  tools.
* [Schema](/schema.graphql): the GraphQL schema as SDL, for code generators and linters; no key needed.
  That of a [version](/docs/guides/versions) is at \`/graphql/<version>/schema.graphql\`.
* [API explorer](/graphql): run queries in the browser, next to the schema.

## Project

${library.list('Project')}

Every page is also available as Markdown: add \`.md\` to its address. \`/docs/search?q=\` searches all of them; programs
get the results as JSON with \`Accept: application/json\`.
`;
  return [{ path: '/docs', section: 'Start', markdown }];
}
