import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';

/** Paths that pages of every origin may call (Fetch, "CORS protocol"); all others are for the web application. */
interface OpenAddresses {
  /** Paths; a final `/*` matches everything below. */
  readonly paths: readonly string[];
  readonly methods: readonly string[];
  /** Allowed request headers and methods beyond those of forms. */
  readonly sent: readonly string[];
  /** Exposed response headers beyond the safelisted ones. */
  readonly read: readonly string[];
}

/** On any response. */
const ALWAYS_READ = ['RateLimit', 'RateLimit-Policy', 'Retry-After', 'X-Request-Id'];
const METADATA = ['/.well-known/oauth-authorization-server', '/.well-known/oauth-protected-resource'];

/**
 * These paths read credentials from the Authorization header, never from a cookie: `*` instead of an origin keeps
 * browsers from sending cookies or exposing the response, and `refuseCrossSite` rejects a cookie that is sent
 * nevertheless. `/mcp` is missing on purpose: see mcp/origin.ts.
 */
const OPEN: readonly OpenAddresses[] = [
  {
    paths: ['/graphql', '/graphql/*'],
    methods: ['GET', 'HEAD', 'POST'],
    sent: [
      'Authorization',
      'Content-Type',
      'Idempotency-Key',
      'Last-Event-ID',
      'Reelgraph-Version',
      'User-Agent',
      'X-Request-Id',
    ],
    read: ['Deprecation', 'ETag', 'Idempotency-Replayed', 'Link', 'Reelgraph-Version', 'Sunset'],
  },
  {
    paths: ['/uploads', '/uploads/*'],
    methods: ['DELETE', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'],
    sent: [
      ...['Authorization', 'Content-Type', 'Tus-Resumable', 'Upload-Length', 'Upload-Metadata', 'Upload-Offset'],
      ...[
        'Content-Range',
        'Upload-Checksum',
        'Upload-Concat',
        'Upload-Defer-Length',
        'User-Agent',
        'X-HTTP-Method-Override',
        'X-Request-Id',
      ],
    ],
    read: [
      ...['Location', 'Range', 'Tus-Checksum-Algorithm', 'Tus-Extension', 'Tus-Max-Size'],
      ...['Tus-Resumable', 'Tus-Version'],
      ...[
        'Upload-Concat',
        'Upload-Defer-Length',
        'Upload-Expires',
        'Upload-Length',
        'Upload-Metadata',
        'Upload-Offset',
      ],
    ],
  },
  {
    paths: ['/whip', '/whip/*'],
    methods: ['DELETE', 'OPTIONS', 'POST'],
    sent: ['Authorization', 'Content-Type', 'User-Agent'],
    read: ['Accept-Post', 'Location'],
  },
  {
    paths: ['/media/*', '/exports/*'],
    methods: ['GET', 'HEAD'],
    sent: ['If-Modified-Since', 'If-None-Match', 'If-Range', 'Range'],
    read: ['Accept-Ranges', 'Content-Disposition', 'Content-Range', 'Date', 'ETag'],
  },
  { paths: ['/live-previews/*'], methods: ['GET'], sent: [], read: [] },
  { paths: ['/oembed'], methods: ['GET', 'HEAD'], sent: [], read: [] },
  { paths: ['/playback/*'], methods: ['GET', 'HEAD'], sent: [], read: [] },
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
    paths: ['/docs', '/docs.md', '/docs/*', '/schema.graphql', '/llms.txt', '/llms-full.txt'],
    methods: ['GET', 'HEAD'],
    sent: ['If-None-Match'],
    read: ['ETag', 'Reelgraph-Version'],
  },
];

/** How long a browser may cache a preflight, in seconds; browsers cap it at two hours to a day. */
const REMEMBER_SECONDS = '86400';

/** CORS headers of a path. */
export interface Opening {
  /** On every response, including errors: without them a page sees only that something failed. */
  readonly headers: OutgoingHttpHeaders;
  /** On the response to a preflight, beside the others. */
  readonly preflight: OutgoingHttpHeaders;
}

const EXACT = new Map<string, Opening>();
const BELOW: (readonly [start: string, opening: Opening])[] = [];
for (const { paths, methods, sent, read } of OPEN) {
  const opening: Opening = {
    headers: {
      'access-control-allow-origin': '*',
      'access-control-expose-headers': [...ALWAYS_READ, ...read].join(', '),
      // For cross-origin isolated pages, which load only resources that allow it.
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

/** CORS headers for this path, as it was sent; null when other origins are not allowed. */
export function openingOf(path: string): Opening | null {
  return EXACT.get(path) ?? BELOW.find(([start]) => path.startsWith(start))?.[1] ?? null;
}

/** Whether the request is a CORS preflight (Fetch, "CORS-preflight request"). */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
}
