import type { IncomingMessage } from 'node:http';

/**
 * Whether a list of hosts contains the host of a site: `example.com` and `example.com:8080` match exactly,
 * `*.example.com` any subdomain. False when the site is not known.
 */
export function isAllowedSite(hosts: readonly string[], site: string | null): boolean {
  if (site === null) return false;
  return hosts.some((host) => {
    const wanted = host.toLowerCase();
    return wanted.startsWith('*.') ? site.endsWith(wanted.slice(1)) : site === wanted;
  });
}

/**
 * The host of the page that requests playback, by Origin or Referer; null if it sends neither. The embed player is a
 * page of this platform: it passes on the address of the page that contains it, which pages of other sites cannot do
 * for it.
 */
export function siteOf({ headers }: IncomingMessage, baseUrl: string, containedIn: string | null): string | null {
  const page = hostOf(headers.origin) ?? hostOf(headers.referer);
  const isOwn = page !== null && (page === headers.host || page === hostOf(baseUrl));
  return isOwn ? hostOf(containedIn ?? undefined) : page;
}

function hostOf(address: string | undefined): string | null {
  const url = address === undefined ? null : URL.parse(address);
  return url?.host || null;
}
