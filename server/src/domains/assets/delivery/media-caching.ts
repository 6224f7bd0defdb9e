import type { ServerResponse } from 'node:http';

/**
 * Who a file at its address is for: everyone (public content), whoever has the address (unlisted content), or whoever a signed address was
 * given to (private content, drafts, sources, downloads that are not allowed to everyone).
 */
export type MediaAudience = 'PUBLIC' | 'UNLISTED' | 'SIGNED';

/** Whether the address always answers the same bytes, or may soon answer others or none. */
export type MediaLifetime = 'IMMUTABLE' | 'SHORT';

/**
 * A browser keeps what its own user has seen. Caches shared by several people (CDNs, proxies) ask again after a minute (`s-maxage`,
 * RFC 9111 section 5.2.2.10), so public files leave them within a minute after their content is unlisted, made private or deleted.
 */
const CACHE_CONTROL: Readonly<Record<MediaAudience, Readonly<Record<MediaLifetime, string>>>> = {
  PUBLIC: { IMMUTABLE: 'public, max-age=31536000, s-maxage=60, immutable', SHORT: 'public, max-age=60' },
  UNLISTED: { IMMUTABLE: 'private, max-age=31536000, immutable', SHORT: 'private, max-age=60' },
  SIGNED: { IMMUTABLE: 'private, no-store', SHORT: 'private, no-store' },
};

/** Sets who may keep the file, and that search engines do not list what is not public. */
export function setMediaCaching(response: ServerResponse, audience: MediaAudience, lifetime: MediaLifetime): void {
  response.setHeader('Cache-Control', CACHE_CONTROL[audience][lifetime]);
  if (audience !== 'PUBLIC') response.setHeader('X-Robots-Tag', 'noindex');
}
