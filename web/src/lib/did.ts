/**
 * Addresses of pages name an object by the end of its DID: `/watch/<id>` is a feature, `/watch/<kind>/<id>` any other
 * kind. The namespace is the instance's own and stands in the page.
 */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const KIND = /^[a-z]+$/;

/** `did:ns:content/feature/<id>` to `<id>`, and `did:ns:content/short/<id>` to `short/<id>`. */
export function watchPath(did: string): string {
  const [kind, id] = did.split('/').slice(-2);
  return kind === 'feature' ? `${id}` : `${kind}/${id}`;
}

/** The DID for the end of a watch address, null when it can be none. Whole DIDs are taken too. */
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

/** The DID for the end of a channel address, null when it can be none. */
export function channelDid(tail: string, namespace: string): string | null {
  const id = tail.slice(tail.lastIndexOf('/') + 1);
  return UUID.test(id) ? `did:${namespace}:channel/${id.toLowerCase()}` : null;
}

/** The namespace of this instance, as its page states it. */
export function namespace(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="did-namespace"]')?.content ?? 'reelgraph';
}

/** `did:ns:content/playlist/<id>` to `<id>`: what follows the last slash of any DID. */
export const didSuffix = (did: string): string => did.slice(did.lastIndexOf('/') + 1);

/** The DID of a kind for the end of an address, null when it can be none. */
export function didOf(kind: string, tail: string, namespace: string): string | null {
  return UUID.test(tail) ? `did:${namespace}:${kind}/${tail.toLowerCase()}` : null;
}
