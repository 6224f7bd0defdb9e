import type { DocPage, Section } from './doc-page.ts';
import type { Library } from './library.ts';

const SUMMARY =
  '> Self-hosted, API-first video platform: upload, process, publish, watch and measure video through one ' +
  'GraphQL endpoint (`POST /graphql`), with one API key for everything.';

/** /llms.txt (llmstxt.org): a summary, and the address of each page as Markdown. */
export function llmsText(library: Library, baseUrl: string): string {
  const list = (section: Section, heading: string = section) =>
    library.of(section).length === 0 ? [] : [`## ${heading}`, library.list(section, baseUrl, '.md')];
  return `${[
    '# Reelgraph',
    SUMMARY,
    `Send \`Authorization: Bearer <key>\` with every request. Agents can use the tools of ${baseUrl}/mcp instead ` +
      'of GraphQL. Errors have a code, the field, a suggested fix and the address of a page.',
    ...list('Guides'),
    ...list('Reference'),
    `* [OpenAPI](${baseUrl}/docs/openapi.json): the REST endpoints and the webhooks.\n* ` +
      `[Schema](${baseUrl}/schema.graphql): the whole GraphQL schema as SDL.`,
    ...list('Errors'),
    ...list('Queries'),
    ...list('Mutations'),
    ...list('Subscriptions'),
    ...list('Project', 'Optional'),
  ].join('\n\n')}\n`;
}

const FULL: readonly Section[] = ['Guides', 'Reference', 'Project'];

/** /llms-full.txt: all guides and reference pages in one text; without operations and types. */
export function llmsFullText(library: Library, baseUrl: string): string {
  const texts = FULL.flatMap((section) => library.of(section)).map(
    (page) => `Source: ${baseUrl}${page.path}\n\n${shifted(page)}`,
  );
  return `${['# Reelgraph', SUMMARY, ...texts].join('\n\n')}\n`;
}

/** Headings one level lower. */
function shifted({ markdown }: DocPage): string {
  let inCode = false;
  const lines = markdown
    .trim()
    .split('\n')
    .map((line) => {
      if (line.startsWith('```')) inCode = !inCode;
      return !inCode && /^#{1,5} /.test(line) ? `#${line}` : line;
    });
  return lines.join('\n');
}
