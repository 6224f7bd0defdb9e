import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import type { DocPage, Section } from './doc-page.ts';

const ROOT = new URL('../../../', import.meta.url);

/** Files of the repository that are pages, in list order. */
const FILES: readonly (readonly [file: string, path: string, section: Section])[] = [
  ['docs/guides/first-upload.md', '/docs/guides/first-upload', 'Guides'],
  ['docs/guides/series.md', '/docs/guides/series', 'Guides'],
  ['docs/guides/playlists.md', '/docs/guides/playlists', 'Guides'],
  ['docs/guides/moderation.md', '/docs/guides/moderation', 'Guides'],
  ['docs/guides/pagination.md', '/docs/guides/pagination', 'Guides'],
  ['docs/guides/bulk-export.md', '/docs/guides/bulk-export', 'Guides'],
  ['docs/guides/versions.md', '/docs/guides/versions', 'Guides'],
  ['docs/guides/graphql-clients.md', '/docs/guides/graphql-clients', 'Guides'],
  ['docs/guides/transports.md', '/docs/guides/transports', 'Guides'],
  ['docs/guides/webhooks.md', '/docs/guides/webhooks', 'Guides'],
  ['docs/guides/streams.md', '/docs/guides/streams', 'Guides'],
  ['docs/guides/captions.md', '/docs/guides/captions', 'Guides'],
  ['docs/guides/edit-a-video.md', '/docs/guides/edit-a-video', 'Guides'],
  ['docs/guides/sharing.md', '/docs/guides/sharing', 'Guides'],
  ['docs/guides/playback-tokens.md', '/docs/guides/playback-tokens', 'Guides'],
  ['docs/guides/import-from-youtube.md', '/docs/guides/import-from-youtube', 'Guides'],
  ['docs/guides/publish-to-youtube.md', '/docs/guides/publish-to-youtube', 'Guides'],
  ['docs/guides/players.md', '/docs/guides/players', 'Guides'],
  ['docs/guides/analytics.md', '/docs/guides/analytics', 'Guides'],
  ['docs/guides/web-pages.md', '/docs/guides/web-pages', 'Guides'],
  ['docs/guides/predictions.md', '/docs/guides/predictions', 'Guides'],
  ['docs/guides/title-tests.md', '/docs/guides/title-tests', 'Guides'],
  ['docs/guides/tokens.md', '/docs/guides/tokens', 'Guides'],
  ['docs/guides/agents.md', '/docs/guides/agents', 'Guides'],
  ['docs/guides/code-mode.md', '/docs/guides/code-mode', 'Guides'],
  ['docs/guides/another-service.md', '/docs/guides/another-service', 'Guides'],
  ['clients/player/README.md', '/docs/guides/player', 'Guides'],
  ['clients/typescript/README.md', '/docs/guides/typescript', 'Guides'],
  ['clients/python/README.md', '/docs/guides/python', 'Guides'],
  ['cli/README.md', '/docs/guides/command-line', 'Guides'],
  ['docs/guides/self-hosting.md', '/docs/guides/self-hosting', 'Guides'],
  ['docs/security.md', '/docs/security', 'Guides'],
  ['docs/http.md', '/docs/http', 'Reference'],
  ['docs/limits.md', '/docs/limits', 'Reference'],
  ['docs/access.md', '/docs/access', 'Reference'],
  ['docs/events.md', '/docs/events', 'Reference'],
  ['docs/settings.md', '/docs/settings', 'Reference'],
  ['docs/privacy.md', '/docs/privacy', 'Reference'],
  ['CHANGELOG.md', '/docs/changelog', 'Project'],
  ['docs/versions/README.md', '/docs/versions', 'Project'],
  ['docs/versions/changelog.md', '/docs/versions/changelog', 'Project'],
  ['SECURITY.md', '/docs/security-policy', 'Project'],
];

/** The Markdown of a file, with links between files rewritten to links between pages. */
export async function writtenPages(): Promise<DocPage[]> {
  return Promise.all(
    FILES.map(async ([file, path, section]) => ({
      path,
      section,
      markdown: withPageLinks(await readFile(new URL(file, ROOT), 'utf8'), file),
    })),
  );
}

/** Links to other files become plain text. */
function withPageLinks(markdown: string, file: string): string {
  return markdown.replace(/\[([^[\]\n]+)\]\(([^()\s]+)\)/g, (link, text: string, target: string) => {
    if (/^(?:[a-z]+:|\/|#)/.test(target)) return link;
    const [name = '', anchor] = target.split('#');
    const wanted = posix.join(posix.dirname(file), name);
    const page = FILES.find(([each]) => each === wanted);
    return page ? `[${text}](${page[1]}${anchor === undefined ? '' : `#${anchor}`})` : text;
  });
}
