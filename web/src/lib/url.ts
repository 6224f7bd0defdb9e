/**
 * URLs of media and uploads are absolute, with the public origin of the server. A page opened through another origin (a
 * LAN address, a tunnel) uses its own instead: the same server responds, and the content security policy allows no
 * other.
 */
export function sameOriginUrl(address: string, origin: string = location.origin): string {
  const url = new URL(address, origin);
  return /^\/(media|uploads)\//.test(url.pathname) ? `${origin}${url.pathname}${url.search}` : url.href;
}

/** Where to redirect after signing in: a path of this site, never another site, and not back to signing in. */
export function safeRedirectPath(next: unknown): string {
  return typeof next === 'string' && /^\/(?![/\\]|sign-(in|up)\b)/i.test(next) ? next : '/studio';
}

/** Whether a path of this site is that of a page outside of the application. */
export const isOutside = (path: string): boolean => /^\/(graphql|docs)/.test(path);

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** `{ name: value }` when a search parameter is a non-negative integer, otherwise `{}`. */
export function wholeNumber<Name extends string>(name: Name, value: unknown): { [name in Name]?: number } {
  const number = typeof value === 'string' ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? singleParam(name, number) : {};
}

/** `{ name: value }` when the value is the id of a DID, otherwise `{}`. */
export function shortId<Name extends string>(name: Name, value: unknown): { [name in Name]?: string } {
  return typeof value === 'string' && ID.test(value) ? singleParam(name, value) : {};
}

/** `{ name: value }` when the value is one of `known`, otherwise `{}`. */
export function oneOf<Name extends string, const Known extends string>(
  name: Name,
  value: unknown,
  known: readonly Known[],
): { [name in Name]?: Known } {
  const found = known.find((each) => each === value);
  return found === undefined ? {} : singleParam(name, found);
}

/** `{ name: value }`, typed by its name. */
export function singleParam<Name extends string, Value>(name: Name, value: Value): { [name in Name]?: Value } {
  return { [name]: value } as { [name in Name]: Value }; // computed keys widen to string
}
