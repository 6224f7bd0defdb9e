import type { IncomingMessage } from 'node:http';
import type { Credential } from '../gql/viewer.ts';
import { AppError } from '../kernel/errors.ts';
import { t } from '../kernel/languages/message.ts';

/** The accounts domain's part of credentials. */
export interface CredentialSource {
  /** Credential of an API key, a scoped token or an access token. Throws UNAUTHENTICATED for malformed credentials. */
  findCredential(key: string): Credential | Promise<Credential>;
  /** Token of a session cookie whose signature is genuine; null without one. */
  sessionTokenFrom(request: IncomingMessage): string | null;
  /** Value of Set-Cookie that clears the session cookie. */
  readonly forgottenSessionCookie: string;
}

const ANONYMOUS: Credential = { kind: 'anonymous' };
/** RFC 6750 section 2.1; the scheme is case-insensitive (RFC 9110 section 11.1). */
const BEARER = /^bearer +([A-Za-z0-9\-._~+/]+=*) *$/i;

/**
 * The credential of a request: a bearer key wins over a session cookie. Sessions are accepted only from the platform's
 * own pages, or for safe methods. Throws UNAUTHENTICATED or UNAUTHORIZED.
 */
export async function credentialOf(
  request: IncomingMessage,
  source: CredentialSource,
  ownOrigin: string,
): Promise<Credential> {
  const header = request.headers.authorization;
  if (header !== undefined) return source.findCredential(bearerOf(header));
  if (request.headers.cookie === undefined) return ANONYMOUS;
  const token = source.sessionTokenFrom(request);
  if (token === null) return ANONYMOUS;
  refuseCrossSite(request, ownOrigin);
  return { kind: 'session', token };
}

/** The key in an Authorization header. Throws UNAUTHENTICATED for other schemes and malformed values. */
export function bearerOf(header: string): string {
  const key = BEARER.exec(header)?.[1];
  if (key !== undefined) return key;
  const scheme = /^[A-Za-z][\w-]*/.exec(header)?.[0] ?? '';
  const message = /^bearer$/i.test(scheme)
    ? t`The Authorization header holds no well-formed API key.`
    : t`The Authorization header is not of the Bearer scheme.`;
  throw new AppError('UNAUTHENTICATED', message);
}

/**
 * Throws unless an unsafe request comes from the platform's own pages: browsers send Sec-Fetch-Site, older ones Origin,
 * and a cross-site form can set neither.
 */
export function refuseCrossSite(request: IncomingMessage, ownOrigin: string): void {
  if (isSafe(request)) return;
  const site = request.headers['sec-fetch-site'];
  if (site === 'same-origin') return;
  if (site === undefined && request.headers.origin === ownOrigin) return;
  throw new AppError('UNAUTHORIZED', t`A signed-in session may be used from the pages of this platform only.`, {
    suggestedFix: t`Call from a page of ${ownOrigin}, or use an API key in the Authorization header instead of the
      cookie.`,
  });
}

/** A WebSocket begins with GET, and then may write and is read: pages of every origin may open one with our cookie. */
function isSafe({ method, headers }: IncomingMessage): boolean {
  return (method === 'GET' && headers.upgrade === undefined) || method === 'HEAD' || method === 'OPTIONS';
}

/** Parameter names with which keys are put into URLs by mistake. */
const KEY_PARAMETERS = new Set([
  'key',
  'api_key',
  'apikey',
  'api-key',
  'x-api-key',
  'access_token',
  'bearer',
  'authorization',
  'bearer_token',
]);
/** A JWT, such as a playback token, whose base64 may contain what looks like a key. */
const JWT = /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/;
const LOOKS_LIKE_KEY = /(?:^|[^A-Za-z0-9])rg[ort]?_[A-Za-z0-9]{20,}/;

/**
 * Throws UNAUTHENTICATED when an address contains a key: proxies log addresses, and browsers keep them in their
 * history. `search` starts with a question mark or is empty.
 */
export function refuseKeyInAddress(search: string): void {
  if (search === '') return;
  for (const [name, value] of new URLSearchParams(search)) {
    if (name === 'token' && JWT.test(value)) continue;
    if (!KEY_PARAMETERS.has(name.toLowerCase()) && !LOOKS_LIKE_KEY.test(value) && !LOOKS_LIKE_KEY.test(name)) continue;
    throw new AppError(
      'UNAUTHENTICATED',
      t`An API key was sent in the URL; keys are accepted in the Authorization header only.`,
      {
        ...(LOOKS_LIKE_KEY.test(name) ? {} : { field: name }),
        suggestedFix: t`Regenerate the key in Developer Settings, because addresses are logged on their way, and send
          the new one in the header "Authorization: Bearer <API_KEY>".`,
      },
    );
  }
}
