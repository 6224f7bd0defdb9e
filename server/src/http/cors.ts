import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';

/** Addresses that pages of every origin may call (Fetch, "CORS protocol"); what is not in the table is for our own pages. */
interface OpenAddresses {
  /** Paths; a final `/*` stands for everything below. */
  readonly paths: readonly string[];
  readonly methods: readonly string[];
  /** What a page may send beside the headers that any form can. */
  readonly sent: readonly string[];
  /** What a page may read of the answer beside type, length, dates and caching. */
  readonly read: readonly string[];
}

/** On any answer. */
const ALWAYS_READ = ['Retry-After', 'X-Request-Id'];
const METADATA = ['/.well-known/oauth-authorization-server', '/.well-known/oauth-protected-resource'];

/**
 * Who is asked for a credential takes it from the Authorization header here, never from a cookie: `*` instead of an origin keeps
 * browsers from sending one or from handing the answer over, and `refuseCrossSite` refuses it where one comes all the same.
 * `/mcp` is missing on purpose: see mcp/origin.ts.
 */
const OPEN: readonly OpenAddresses[] = [
  {
    paths: ['/graphql'],
    methods: ['GET', 'HEAD', 'POST'],
    sent: ['Authorization', 'Content-Type', 'Idempotency-Key', 'Last-Event-ID', 'User-Agent', 'X-Request-Id'],
    read: ['Idempotency-Replayed'],
  },
  {
    paths: ['/uploads', '/uploads/*'],
    methods: ['DELETE', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'],
    sent: [
      ...['Authorization', 'Content-Type', 'Tus-Resumable', 'Upload-Length', 'Upload-Metadata', 'Upload-Offset'],
      ...['User-Agent', 'X-HTTP-Method-Override', 'X-Request-Id'],
    ],
    read: [
      ...['Location', 'Tus-Extension', 'Tus-Max-Size', 'Tus-Resumable', 'Tus-Version'],
      ...['Upload-Expires', 'Upload-Length', 'Upload-Metadata', 'Upload-Offset'],
    ],
  },
  {
    paths: ['/media/*'],
    methods: ['GET', 'HEAD'],
    sent: ['If-Modified-Since', 'If-None-Match', 'If-Range', 'Range'],
    read: ['Accept-Ranges', 'Content-Disposition', 'Content-Range', 'Date', 'ETag'],
  },
  { paths: ['/api/engagement'], methods: ['POST'], sent: ['Authorization', 'Content-Type'], read: [] },
  {
    paths: [...METADATA, ...METADATA.map((path) => `${path}/*`), '/api/auth/.well-known/*'],
    methods: ['GET', 'HEAD'],
    sent: ['MCP-Protocol-Version'],
    read: [],
  },
  {
    paths: ['register', 'revoke', 'token'].map((name) => `/api/auth/oauth2/${name}`),
    methods: ['POST'],
    sent: ['Authorization', 'Content-Type', 'MCP-Protocol-Version'],
    read: ['WWW-Authenticate'],
  },
  {
    paths: ['/docs', '/docs.md', '/docs/*', '/llms.txt', '/llms-full.txt'],
    methods: ['GET', 'HEAD'],
    sent: ['If-None-Match'],
    read: ['ETag'],
  },
];

/** How long a browser may remember what it was told, in seconds; browsers keep it for two hours to a day. */
const REMEMBER_SECONDS = '86400';

/** What an address says to pages of other origins. */
export interface Opening {
  /** On every answer, refusals too: without them a page learns nothing but that something failed. */
  readonly headers: OutgoingHttpHeaders;
  /** On the answer to a preflight, beside the others. */
  readonly preflight: OutgoingHttpHeaders;
}

const EXACT = new Map<string, Opening>();
const BELOW: (readonly [start: string, opening: Opening])[] = [];
for (const { paths, methods, sent, read } of OPEN) {
  const opening: Opening = {
    headers: {
      'access-control-allow-origin': '*',
      'access-control-expose-headers': [...ALWAYS_READ, ...read].join(', '),
      // For pages that are isolated, which may show only what says that it may be shown.
      'cross-origin-resource-policy': 'cross-origin',
    },
    preflight: {
      'access-control-allow-methods': methods.join(', '),
      'access-control-allow-headers': sent.join(', '),
      'access-control-max-age': REMEMBER_SECONDS,
    },
  };
  for (const path of paths) {
    if (path.endsWith('/*')) BELOW.push([path.slice(0, -1), opening]);
    else EXACT.set(path, opening);
  }
}

/** What the address with this path, as it was sent, says to pages of other origins; null where it has nothing for them. */
export function openingOf(path: string): Opening | null {
  return EXACT.get(path) ?? BELOW.find(([start]) => path.startsWith(start))?.[1] ?? null;
}

/** Whether a browser asks if a page of another origin may send a request (Fetch, "CORS-preflight request"). */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
}
