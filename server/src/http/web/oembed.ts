import { AppError } from '../../kernel/errors.ts';
import { html } from '../../kernel/html.ts';
import { t } from '../../kernel/languages/message.ts';
import type { Route } from '../../platform/routing.ts';
import type { PageHead, PageHeads } from './meta-tags.ts';
import { OEMBED_PATH } from './oembed-address.ts';

/** Seconds for which consumers may keep a response. */
const KEEP_SECONDS = 300;
const MAX_PIXELS = 10_000;
type Player = NonNullable<PageHead['player']>;

/**
 * oEmbed 1.0 (oembed.com): how other sites embed the video of a page. Whatever is not public has no response, as if it
 * did not exist.
 */
export function oembedRoute(heads: Pick<PageHeads, 'find'>, baseUrl: string, site: () => string): Route {
  return {
    method: 'GET',
    path: OEMBED_PATH,
    async handle(_request, response, { url: { searchParams: query }, requestId, clientAddress }) {
      requireJson(query.get('format'));
      const path = pagePath(query.get('url'), baseUrl);
      const most = { width: pixels(query, 'maxwidth'), height: pixels(query, 'maxheight') };
      const head = await heads.find(path, { requestId, clientAddress });
      if (typeof head === 'string' || head.player === null) throw notEmbeddable();
      const body = JSON.stringify(embedding(head, head.player, most, { baseUrl, site: site() }));
      response.writeHead(200, {
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(body),
        'cache-control': `public, max-age=${KEEP_SECONDS}`,
      });
      response.end(body);
    },
  };
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The response for a video; names of members are those of the specification. */
function embedding(
  head: PageHead,
  player: Player,
  most: Size,
  { baseUrl, site }: { readonly baseUrl: string; readonly site: string },
): object {
  const { width, height } = fitted(player, most);
  const title = head.title ?? site;
  const frame = html`<iframe src="${baseUrl + player.path}" width="${width}" height="${height}" title="${
    title
  }" style="border:0" allow="autoplay; fullscreen; picture-in-picture"></iframe>`;
  return {
    version: '1.0',
    type: 'video',
    provider_name: site,
    provider_url: baseUrl,
    title,
    ...(head.author ? { author_name: head.author.name, author_url: baseUrl + head.author.path } : {}),
    ...(head.image
      ? {
          thumbnail_url: new URL(head.image.url, baseUrl).href,
          thumbnail_width: head.image.width,
          thumbnail_height: head.image.height,
        }
      : {}),
    html: frame.text,
    width,
    height,
    cache_age: KEEP_SECONDS,
  };
}

/** The largest frame with the shape of the player within the limits. */
function fitted({ width, height }: Size, most: Size): Size {
  const scale = Math.min(1, most.width / width, most.height / height);
  return { width: Math.max(1, Math.floor(width * scale)), height: Math.max(1, Math.floor(height * scale)) };
}

function requireJson(format: string | null): void {
  if (format === null || format === 'json') return;
  throw new AppError('INVALID_INPUT', t`This format is not supported.`, {
    field: 'format',
    suggestedFix: t`Leave format out, or ask for json.`,
    httpStatus: 501,
  });
}

/** The path of a page of this server. */
function pagePath(address: string | null, baseUrl: string): string {
  if (!address) throw new AppError('FIELD_REQUIRED', t`url is missing.`, { field: 'url' });
  const base = new URL(baseUrl);
  const page = URL.parse(address);
  if (page?.host !== base.host || !/^https?:$/.test(page.protocol)) throw notEmbeddable();
  const prefix = base.pathname.replace(/\/$/, '');
  if (!page.pathname.startsWith(`${prefix}/`)) throw notEmbeddable();
  return page.pathname.slice(prefix.length);
}

function pixels(query: URLSearchParams, field: string): number {
  const given = query.get(field);
  if (given === null || given === '') return MAX_PIXELS;
  const value = Number(given);
  if (Number.isInteger(value) && value > 0) return Math.min(value, MAX_PIXELS);
  throw new AppError('INVALID_INPUT', t`${field} must be a whole number of pixels.`, { field });
}

function notEmbeddable(): AppError {
  return new AppError('RESOURCE_NOT_FOUND', t`There is no public video at this address.`, {
    field: 'url',
    suggestedFix: t`Use the address of the page of a published video on this server.`,
  });
}
