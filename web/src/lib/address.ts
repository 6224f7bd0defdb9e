/**
 * Addresses of media and uploads are absolute and name the public origin of the instance. Opened through another of
 * its addresses (a LAN address, a tunnel), the page stays on the one it came through: the same server answers both,
 * and the content security policy allows no other.
 */
export function here(address: string, origin: string = location.origin): string {
  const url = new URL(address, origin);
  return /^\/(media|uploads)\//.test(url.pathname) ? `${origin}${url.pathname}${url.search}` : url.href;
}

/** Where to go after signing in: a path of this site, never another site. */
export function safeNext(next: unknown): string {
  return typeof next === 'string' && /^\/(?![/\\])/.test(next) ? next : '/studio';
}
