/**
 * Page URLs identify an object by the last part of its DID: `/studio/content/<id>` is a feature, `…/<kind>/<id>` any
 * other kind. The namespace is the server's own, from a meta tag.
 */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const KIND = /^[a-z]+$/;

/** The end of such a URL: `did:ns:content/feature/<id>` to `<id>`, `did:ns:content/short/<id>` to `short/<id>`. */
export function contentTail(did: string): string {
  const [kind, id] = did.split('/').slice(-2);
  return kind === 'feature' ? `${id}` : `${kind}/${id}`;
}

/** The last part of the address of a series, season or miniseries: a series has no kind there. */
export const seriesTail = (did: string): string => contentTail(did).replace(/^serie\//, '');

/** The DID for the last part of such a URL, or null. Accepts whole DIDs too. */
export function contentDid(tail: string, namespace: string): string | null {
  const parts = tail
    .replace(/^did:[a-z0-9]+:/, '')
    .replace(/^content\//, '')
    .split('/')
    .filter(Boolean);
  const [kind, id] = parts.length === 1 ? ['feature', parts[0]] : parts;
  if (parts.length > 2 || !kind || !id || !KIND.test(kind) || !UUID.test(id)) return null;
  return `did:${namespace}:content/${kind}/${id.toLowerCase()}`;
}

/** `did:ns:channel/<id>` to `<id>`. */
export const channelPath = (did: string): string => did.slice(did.lastIndexOf('/') + 1);

/** The DID for the last part of a channel URL, or null. */
export function channelDid(tail: string, namespace: string): string | null {
  const id = tail.slice(tail.lastIndexOf('/') + 1);
  return UUID.test(id) ? `did:${namespace}:channel/${id.toLowerCase()}` : null;
}

/** The DID namespace of this server, from the page's meta tag. */
export function namespace(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="did-namespace"]')?.content ?? 'reelgraph';
}

/** `did:ns:content/playlist/<id>` to `<id>`: what follows the last slash of any DID. */
export const didSuffix = (did: string): string => did.slice(did.lastIndexOf('/') + 1);

/** The DID of a kind for the last part of a URL, or null. */
export function didOf(kind: string, tail: string, namespace: string): string | null {
  return UUID.test(tail) ? `did:${namespace}:${kind}/${tail.toLowerCase()}` : null;
}
