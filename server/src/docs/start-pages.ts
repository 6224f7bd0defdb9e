import type { DocPage } from './doc-page.ts';
import type { Library } from './library.ts';

/** The first page: where everything is. */
export function startPages(library: Library): DocPage[] {
  const markdown = `# Reelgraph documentation

Reelgraph is a self-hosted, API-first video platform: upload, process, publish, watch and measure video through one GraphQL endpoint, with one API key for everything.

New here? [Upload your first video](/docs/guides/first-upload) takes five minutes and nothing but a shell.

## Guides

${library.list('Guides')}

## Reference

${library.list('Reference')}
* [Errors](/docs/errors): every code, what happened and how to fix it.
* [OpenAPI](/docs/openapi.json): the REST endpoints (uploads, media, what players report, OAuth, probes) and the webhooks, for tools.
* [API explorer](/graphql): try queries in the browser, with the schema beside them.

## Project

${library.list('Project')}

Every page is also there as Markdown: add \`.md\` to its address.
`;
  return [{ path: '/docs', section: 'Start', markdown }];
}
