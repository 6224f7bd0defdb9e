import { escapeHtml } from '../../kernel/html.ts';

/** A feed of videos, or a podcast of their sound. Addresses are absolute. */
export interface Feed {
  readonly title: string;
  readonly description: string;
  readonly author: string;
  /** Of the page. */
  readonly link: string;
  /** Of the feed. */
  readonly self: string;
  readonly image: string | null;
  readonly items: readonly FeedItem[];
}

export interface FeedItem {
  /** Identifies it for ever. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly author: string;
  readonly link: string;
  /** ISO 8601. */
  readonly publishedAt: string;
  readonly durationSeconds: number | null;
  readonly image: string | null;
  /** The file that readers download; null where downloads are not allowed. */
  readonly file: { readonly url: string; readonly type: string } | null;
}

const NAMESPACES =
  'xmlns:atom="http://www.w3.org/2005/Atom" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" ' +
  'xmlns:media="http://search.yahoo.com/mrss/"';

/** RSS 2.0 with the elements of podcasts (Apple) and pictures (Media RSS). */
export function feedDocument({ title, description, author, link, self, image, items }: Feed): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" ${NAMESPACES}><channel>
${element('title', title)}${element('link', link)}${element('description', description || title)}
<atom:link rel="self" type="application/rss+xml" href="${text(self)}"/>
${element('itunes:author', author)}${element('itunes:explicit', 'false')}
${image === null ? '' : `<itunes:image href="${text(image)}"/>${pictureOf(title, link, image)}`}
${items.map(itemElement).join('\n')}
</channel></rss>
`;
}

function itemElement(item: FeedItem): string {
  const { id, title, description, author, link, publishedAt, durationSeconds, image, file } = item;
  const parts = [
    element('title', title),
    element('link', link),
    `<guid isPermaLink="false">${text(id)}</guid>`,
    element('pubDate', new Date(publishedAt).toUTCString()),
    ...(description ? [element('description', description)] : []),
    element('itunes:author', author),
    ...(durationSeconds === null ? [] : [element('itunes:duration', String(Math.round(durationSeconds)))]),
    ...(image === null ? [] : [`<media:thumbnail url="${text(image)}"/><itunes:image href="${text(image)}"/>`]),
    // The length is required and not known here; readers take it from the response.
    ...(file === null ? [] : [`<enclosure url="${text(file.url)}" length="0" type="${text(file.type)}"/>`]),
  ];
  return `<item>${parts.join('')}</item>`;
}

const pictureOf = (title: string, link: string, url: string): string =>
  `<image>${element('url', url)}${element('title', title)}${element('link', link)}</image>`;

const element = (name: string, value: string): string => `<${name}>${text(value)}</${name}>`;

/** Escaped, without the characters that XML 1.0 does not have (section 2.2). */
function text(value: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is about
  return escapeHtml(value.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, ''));
}
