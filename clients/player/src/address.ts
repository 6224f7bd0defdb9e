/** The attributes of the element that say what it plays, and how. */
export interface PlayerAttributes {
  /** Address of the video's page, or of its embeddable player. */
  readonly src: string | null;
  /** In place of `src`: id of a content of `server`, as DID or its last 36 characters. */
  readonly content: string | null;
  readonly server: string | null;
  /** A playback token, for private videos. */
  readonly token: string | null;
  /** Where to start, in seconds. */
  readonly start: string | null;
  /** `none`: the page has its own. */
  readonly controls: string | null;
  /** Whether the chat of a stream is shown beside it. */
  readonly chat: boolean;
  readonly autoplay: boolean;
  readonly muted: boolean;
  readonly loop: boolean;
}

/** The address of the frame; null if nothing is to be played. Throws TypeError for an invalid address. Pure. */
export function frameAddress(attributes: PlayerAttributes, baseUrl: string): URL | null {
  const address = pageAddress(attributes, baseUrl);
  if (!address) return null;
  address.pathname = address.pathname.replace(/^\/(?:w|watch)\//, '/embed/');
  const { token, start, controls, chat, autoplay, muted, loop } = attributes;
  const set = (name: string, value: string | null) => {
    if (value !== null) address.searchParams.set(name, value);
  };
  set('token', token);
  set('t', start);
  set('controls', controls === 'none' ? '0' : null);
  set('chat', chat ? '1' : null);
  set('autoplay', autoplay ? '1' : null);
  set('muted', muted ? '1' : null);
  set('loop', loop ? '1' : null);
  return address;
}

function pageAddress({ src, content, server }: PlayerAttributes, baseUrl: string): URL | null {
  if (src) return new URL(src, baseUrl);
  if (!content || !server) return null;
  // did:<namespace>:content/<kind>/<id>; features have no kind in their addresses.
  const path = content.replace(/^did:[^/]*\//, '').replace(/^feature\//, '');
  return new URL(`/embed/${path}`, new URL(server, baseUrl));
}
