import type { ServerResponse } from 'node:http';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { Route } from '../../../platform/routing.ts';
import { PAGES_PER_FILE, sitemapFile, sitemapIndex } from './sitemap-documents.ts';

const KEEP_SECONDS = 3_600;
/** How long an instance keeps the index. */
const INDEX_MS = 600_000;

/**
 * Sitemaps of all pages that search engines may list: an index, and a file for each list, month and ten thousand pages.
 * Files of past months change only where a page did.
 */
export function sitemapRoutes(
  platform: Pick<Platform, 'db' | 'clock' | 'config'>,
  perFile: number = PAGES_PER_FILE,
): Route[] {
  const { clock } = platform;
  let index: { readonly untilMs: number; readonly text: Promise<string> } | null = null;
  return [
    {
      method: 'GET',
      path: '/sitemap.xml',
      handle: async (_request, response) => {
        if (!index || index.untilMs <= clock.now()) {
          const text = sitemapIndex(platform, perFile);
          index = { untilMs: clock.now() + INDEX_MS, text };
          text.catch(() => (index = null));
        }
        send(response, await index.text);
      },
    },
    {
      method: 'GET',
      path: '/sitemaps/:file',
      handle: async (_request, response, { params }) => {
        const text = await sitemapFile(platform, params.file ?? '', perFile);
        if (text === null) throw noFile();
        send(response, text);
      },
    },
  ];
}

function send(response: ServerResponse, text: string): void {
  const body = Buffer.from(text);
  response.writeHead(200, {
    'content-type': 'application/xml; charset=utf-8',
    'content-length': body.length,
    'cache-control': `public, max-age=${KEEP_SECONDS}`,
  });
  response.end(body);
}

function noFile(): AppError {
  return new AppError('RESOURCE_NOT_FOUND', t`There is no such sitemap.`, {
    suggestedFix: t`Take the addresses of sitemaps from /sitemap.xml.`,
  });
}
