import type { ServerResponse } from 'node:http';

/**
 * Who may receive a file at its address: everyone (public content), anyone with the address (unlisted content), or
 * holders of a signed address (private content, drafts, sources, downloads that are not public).
 */
export type MediaAudience = 'PUBLIC' | 'UNLISTED' | 'SIGNED';

/**
 * Whether the address always returns the same bytes, may return others or none later, or often returns others: browsers
 * ask each time whether those that they have are still the current ones. LIVE: it returns others with every part.
 */
export type MediaLifetime = 'IMMUTABLE' | 'SHORT' | 'CHANGING' | 'LIVE';

/**
 * Browsers cache their own user's files. Shared caches (CDNs, proxies) revalidate after a minute (`s-maxage`, RFC 9111
 * section 5.2.2.10), so public files leave them within a minute after their content is unlisted, made private or
 * deleted. Files at signed addresses stay out of shared caches, unless the operator has one.
 */
const CACHE_CONTROL: Readonly<Record<MediaAudience, Readonly<Record<MediaLifetime, string>>>> = {
  PUBLIC: {
    IMMUTABLE: 'public, max-age=31536000, s-maxage=60, immutable',
    SHORT: 'public, max-age=60',
    CHANGING: 'public, max-age=0, s-maxage=60',
    LIVE: 'no-cache',
  },
  UNLISTED: {
    IMMUTABLE: 'private, max-age=31536000, immutable',
    SHORT: 'private, max-age=60',
    CHANGING: 'private, no-cache',
    LIVE: 'private, no-cache',
  },
  SIGNED: {
    IMMUTABLE: 'private, no-store',
    SHORT: 'private, no-store',
    CHANGING: 'private, no-store',
    LIVE: 'private, no-store',
  },
};

/** A response below /media/. */
interface CachedFile {
  readonly audience: MediaAudience;
  /** Seconds for which a shared cache may keep a file at a signed address; 0 if it may not. */
  readonly sharedSeconds: number;
}

/** Sets who may cache the file, and keeps search engines from listing files that are not public. */
export function setMediaCaching(
  response: ServerResponse,
  { audience, sharedSeconds }: CachedFile,
  lifetime: MediaLifetime,
): void {
  const shared = audience === 'SIGNED' && lifetime === 'IMMUTABLE' && sharedSeconds > 0;
  const control = shared
    ? `public, max-age=${sharedSeconds}, s-maxage=${sharedSeconds}`
    : CACHE_CONTROL[audience][lifetime];
  response.setHeader('Cache-Control', control);
  if (audience !== 'PUBLIC') response.setHeader('X-Robots-Tag', 'noindex');
}
