import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { SiteAddresses } from './site/site-addresses.ts';

/** A video at the fake site. */
export interface FakeVideo {
  readonly id: string;
  readonly title: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly publishedAt?: string;
  readonly duration?: string;
  readonly privacyStatus?: 'public' | 'unlisted' | 'private';
  /** Set for a video of another channel. */
  readonly channelId?: string;
  readonly live?: 'live' | 'upcoming';
  /** Other members of `status`, and members of other parts, as videos.list returns them. */
  readonly parts?: Readonly<Record<string, unknown>>;
}

/** A request as it came. */
export interface FakeRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

export interface FakeResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Responds to a request, or returns null for other requests. */
export type FakeHandler = (request: FakeRequest) => FakeResponse | null | Promise<FakeResponse | null>;

interface Grant {
  readonly scopes: readonly string[];
  readonly challenge: string;
  readonly redirectUri: string;
}

const CLIENT = { id: 'test-client.apps.googleusercontent.com', secret: 'test-secret' };
/** Single-color images of 1280 x 720, as the site serves them. */
const CHANNEL = { id: 'UCreelgraphTestChannel00', uploads: 'UUreelgraphTestChannel00', title: 'Anna at YouTube' };

/**
 * A local Google: the OAuth endpoints, the Data API's lists and images, in the documented form. Tests change its data
 * through its members; `handlers` run first, for other endpoints and for errors.
 */
export class FakeGoogle {
  readonly client = CLIENT;
  readonly channel = CHANNEL;
  /** The account's uploads and those of others, newest first. */
  videos: FakeVideo[] = [];
  /** Run first; a test that adds one removes it again. */
  readonly handlers: FakeHandler[] = [];
  /** Runs before a request is read; returns true when it responds itself. */
  readonly takers: ((request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>)[] = [];
  /** All requests in order, as `METHOD /path`. */
  readonly requests: FakeRequest[] = [];
  /** The image of every video. */
  picture: Buffer = Buffer.alloc(0);
  /** The user's decision on the consent page. */
  person: 'agrees' | 'refuses' | 'agrees to reading only' = 'agrees';
  /** Whether the account has a channel. */
  hasChannel = true;
  readonly #codes = new Map<string, Grant>();
  readonly #refreshTokens = new Map<string, readonly string[]>();
  readonly #accessTokens = new Map<string, readonly string[]>();
  readonly #server = createServer(
    (request, response) => void this.#serve(request, response).catch(() => response.destroy()),
  );
  #origin = '';

  /** Starts it on a free port of 127.0.0.1. */
  static async start(): Promise<FakeGoogle> {
    const fake = new FakeGoogle();
    await new Promise<void>((done) => fake.#server.listen(0, '127.0.0.1', done));
    fake.#origin = `http://127.0.0.1:${(fake.#server.address() as AddressInfo).port}`; // a TCP server has one
    return fake;
  }

  get addresses(): SiteAddresses {
    return {
      authorize: `${this.#origin}/o/oauth2/v2/auth`,
      token: `${this.#origin}/token`,
      revoke: `${this.#origin}/revoke`,
      api: `${this.#origin}/youtube/v3`,
      upload: `${this.#origin}/upload/youtube/v3`,
    };
  }

  /** Settings that make the server use this fake. */
  get env(): Record<string, string> {
    const { authorize, token, revoke, api, upload } = this.addresses;
    return {
      YOUTUBE_CLIENT_ID: CLIENT.id,
      YOUTUBE_CLIENT_SECRET: CLIENT.secret,
      YOUTUBE_AUTHORIZE_URL: authorize,
      YOUTUBE_TOKEN_URL: token,
      YOUTUBE_REVOKE_URL: revoke,
      YOUTUBE_API_URL: api,
      YOUTUBE_UPLOAD_URL: upload,
      FETCH_ALLOW: '127.0.0.1',
    };
  }

  /** Number of requests whose path ends like this. */
  count(path: string): number {
    return this.requests.filter(({ url }) => url.pathname.endsWith(path)).length;
  }

  /** A refresh token as issued after consent. */
  giveRefreshToken(scopes: readonly string[]): string {
    const token = `1//${randomBytes(12).toString('hex')}`;
    this.#refreshTokens.set(token, scopes);
    return token;
  }

  /** Revokes all grants at Google. */
  withdraw(): void {
    this.#refreshTokens.clear();
    this.#accessTokens.clear();
  }

  /** Expires all access tokens. */
  endAccessTokens(): void {
    this.#accessTokens.clear();
  }

  /**
   * Whether a request carries a token with this scope; for handlers. Null when it does, otherwise the error response.
   */
  refusal(request: Pick<FakeRequest, 'headers'>, scope: string): FakeResponse | null {
    const scopes = this.#accessTokens.get((request.headers.authorization ?? '').replace(/^Bearer /, ''));
    if (!scopes) return refused(401, 'authError', 'Invalid Credentials');
    return scopes.includes(scope)
      ? null
      : refused(403, 'insufficientPermissions', 'Request had insufficient authentication scopes.');
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((done) => this.#server.close(() => done()));
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const take of this.takers) if (await take(incoming, response)) return;
    const request: FakeRequest = {
      method: incoming.method ?? 'GET',
      url: new URL(incoming.url ?? '/', this.#origin),
      headers: incoming.headers,
      body: await buffer(incoming).catch(() => Buffer.alloc(0)),
    };
    this.requests.push(request);
    let result: FakeResponse | null = null;
    for (const handler of this.handlers) result ??= await handler(request);
    result ??= this.#answer(request);
    const body = Buffer.isBuffer(result.body)
      ? result.body
      : Buffer.from(result.body === undefined ? '' : JSON.stringify(result.body));
    const type = Buffer.isBuffer(result.body) ? 'image/jpeg' : 'application/json; charset=UTF-8';
    response
      .writeHead(result.status, { 'content-type': type, 'content-length': body.length, ...result.headers })
      .end(body);
  }

  #answer(request: FakeRequest): FakeResponse {
    const { pathname } = request.url;
    if (pathname === '/o/oauth2/v2/auth') return this.#consent(request.url.searchParams);
    if (pathname === '/token') return this.#token(new URLSearchParams(request.body.toString()));
    if (pathname === '/revoke') return this.#revoke(new URLSearchParams(request.body.toString()).get('token') ?? '');
    if (pathname.startsWith('/vi/')) return { status: 200, body: this.picture };
    const list = {
      '/youtube/v3/channels': channels,
      '/youtube/v3/playlistItems': playlistItems,
      '/youtube/v3/videos': videos,
    }[pathname];
    if (!list || request.method !== 'GET') return refused(404, 'notFound', 'Not Found');
    return (
      this.refusal(request, 'https://www.googleapis.com/auth/youtube.readonly') ??
      list(this, request.url.searchParams, this.#origin)
    );
  }

  #consent(query: URLSearchParams): FakeResponse {
    const redirect = new URL(query.get('redirect_uri') ?? '');
    if (
      query.get('client_id') !== CLIENT.id ||
      query.get('response_type') !== 'code' ||
      query.get('code_challenge_method') !== 'S256'
    ) {
      return { status: 400, body: { error: 'invalid_request' } };
    }
    redirect.searchParams.set('state', query.get('state') ?? '');
    if (this.person === 'refuses') redirect.searchParams.set('error', 'access_denied');
    else {
      const requestedScopes = (query.get('scope') ?? '').split(' ');
      const scopes =
        this.person === 'agrees' ? requestedScopes : requestedScopes.filter((scope) => scope.endsWith('readonly'));
      const code = `4/${randomBytes(12).toString('hex')}`;
      this.#codes.set(code, {
        scopes,
        challenge: query.get('code_challenge') ?? '',
        redirectUri: query.get('redirect_uri') ?? '',
      });
      redirect.searchParams.set('code', code);
      redirect.searchParams.set('scope', scopes.join(' '));
    }
    return { status: 302, headers: { location: redirect.href } };
  }

  #token(form: URLSearchParams): FakeResponse {
    if (form.get('client_id') !== CLIENT.id || form.get('client_secret') !== CLIENT.secret) {
      return { status: 401, body: { error: 'invalid_client', error_description: 'The OAuth client was not found.' } };
    }
    if (form.get('grant_type') === 'refresh_token') {
      const scopes = this.#refreshTokens.get(form.get('refresh_token') ?? '');
      return scopes ? { status: 200, body: this.#issue(scopes) } : invalidGrant('Token has been expired or revoked.');
    }
    const code = form.get('code') ?? '';
    const grant = this.#codes.get(code);
    this.#codes.delete(code);
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (!grant || grant.challenge !== challenge || grant.redirectUri !== form.get('redirect_uri'))
      return invalidGrant('Bad Request');
    return { status: 200, body: { ...this.#issue(grant.scopes), refresh_token: this.giveRefreshToken(grant.scopes) } };
  }

  #issue(scopes: readonly string[]) {
    const token = `ya29.${randomBytes(12).toString('hex')}`;
    this.#accessTokens.set(token, scopes);
    return { access_token: token, expires_in: 3_599, scope: scopes.join(' '), token_type: 'Bearer' };
  }

  #revoke(token: string): FakeResponse {
    const known = this.#refreshTokens.delete(token);
    if (known) this.#accessTokens.clear();
    return known ? { status: 200, body: {} } : { status: 400, body: { error: 'invalid_token' } };
  }
}

/** An error response in the Data API's format. */
export function refused(status: number, reason: string, message: string): FakeResponse {
  return { status, body: { error: { code: status, message, errors: [{ message, domain: 'youtube.api', reason }] } } };
}

function invalidGrant(description: string): FakeResponse {
  return { status: 400, body: { error: 'invalid_grant', error_description: description } };
}

function thumbnails(origin: string, id: string) {
  return {
    default: { url: `${origin}/vi/${id}/default.jpg`, width: 120, height: 90 },
    maxres: { url: `${origin}/vi/${id}/maxresdefault.jpg`, width: 1280, height: 720 },
  };
}

function channels(fake: FakeGoogle, query: URLSearchParams, origin: string): FakeResponse {
  if (query.get('mine') !== 'true') return refused(400, 'missingRequiredParameter', 'No filter selected.');
  const { id, title, uploads } = fake.channel;
  const item = {
    kind: 'youtube#channel',
    id,
    snippet: { title, thumbnails: thumbnails(origin, 'channel') },
    contentDetails: { relatedPlaylists: { likes: 'LL', uploads } },
  };
  // An account without a channel gets a list without `items`.
  return { status: 200, body: { kind: 'youtube#channelListResponse', ...(fake.hasChannel ? { items: [item] } : {}) } };
}

function playlistItems(fake: FakeGoogle, query: URLSearchParams): FakeResponse {
  const own = fake.videos.filter(({ channelId }) => channelId === undefined);
  if (query.get('playlistId') !== fake.channel.uploads || own.length === 0) {
    return refused(
      404,
      'playlistNotFound',
      "The playlist identified with the request's playlistId parameter cannot be found.",
    );
  }
  const size = Number(query.get('maxResults') ?? 5);
  if (size > 50) return refused(400, 'invalidValue', 'maxResults');
  const token = query.get('pageToken');
  const start = token === null ? 0 : Number(Buffer.from(token, 'base64url').toString());
  if (Number.isNaN(start)) return refused(400, 'invalidPageToken', 'The request specifies an invalid page token.');
  const next = start + size;
  return {
    status: 200,
    body: {
      kind: 'youtube#playlistItemListResponse',
      ...(next < own.length ? { nextPageToken: Buffer.from(String(next)).toString('base64url') } : {}),
      pageInfo: { totalResults: own.length, resultsPerPage: size },
      items: own
        .slice(start, next)
        .map(({ id }) => ({ kind: 'youtube#playlistItem', contentDetails: { videoId: id } })),
    },
  };
}

function videos(fake: FakeGoogle, query: URLSearchParams, origin: string): FakeResponse {
  const ids = (query.get('id') ?? '').split(',');
  if (ids.length > 50) return refused(400, 'invalidFilters', 'Too many ids.');
  const items = fake.videos
    .filter(({ id }) => ids.includes(id))
    .map((video) => ({
      kind: 'youtube#video',
      id: video.id,
      snippet: {
        publishedAt: video.publishedAt ?? '2024-03-01T12:00:00Z',
        channelId: video.channelId ?? fake.channel.id,
        title: video.title,
        description: video.description ?? '',
        thumbnails: thumbnails(origin, video.id),
        channelTitle: fake.channel.title,
        ...(video.tags ? { tags: video.tags } : {}),
        categoryId: '22',
        liveBroadcastContent: video.live ?? 'none',
      },
      contentDetails: { duration: video.duration ?? 'PT1M30S', dimension: '2d', definition: 'hd', caption: 'false' },
      status: {
        uploadStatus: 'processed',
        privacyStatus: video.privacyStatus ?? 'public',
        license: 'youtube',
        embeddable: true,
      },
      ...video.parts,
    }));
  return {
    status: 200,
    body: { kind: 'youtube#videoListResponse', items, pageInfo: { totalResults: items.length, resultsPerPage: 50 } },
  };
}
