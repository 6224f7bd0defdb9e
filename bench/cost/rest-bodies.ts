import type { CostTarget } from './measure.ts';

/** A request to a route besides GraphQL, with a text at one place. */
export interface RestCase {
  readonly name: string;
  /** Characters of the text. */
  readonly most: number;
  readonly request: (text: string) => {
    readonly path: string;
    readonly method: 'GET' | 'POST';
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
  };
}

/** Of 16 KiB that a body may have. */
const MEMBER = 15_000;
/** Node takes 16 KiB of headers together. */
const HEADER = 8_000;
const ADDRESS = 8_000;
const ENGAGEMENT = 60_000;
const JSON_BODY = { 'content-type': 'application/json' };

const member = (path: string, name: string, others: object = {}): RestCase => ({
  name: `POST ${path}: ${name}`,
  most: MEMBER,
  request: (text) => ({ path, method: 'POST', headers: JSON_BODY, body: JSON.stringify({ ...others, [name]: text }) }),
});

const parameter = (path: string, name: string): RestCase => ({
  name: `GET ${path}?${name}`,
  most: ADDRESS,
  request: (text) => ({ path: `${path}?${name}=${addressed(text)}`, method: 'GET' }),
});

const header = (name: string, path = '/', method: 'GET' | 'POST' = 'GET', others = {}): RestCase => ({
  name: `${method} ${path}: ${name}`,
  most: HEADER,
  request: (text) => ({ path, method, headers: { ...others, [name]: sendable(text) } }),
});

/** Every text that the routes besides GraphQL read. */
export function restBodies({ credential }: Pick<CostTarget, 'credential'>): RestCase[] {
  const account = { name: 'a', email: 'a@example.com', username: 'aaaa', password: 'four plain words measured' };
  const auth = (path: string, ...names: string[]) => names.map((name) => member(`/api/auth${path}`, name, account));
  const tus = { 'tus-resumable': '1.0.0', 'upload-length': '5', ...credential };
  return [
    ...auth('/sign-up/email', 'name', 'email', 'username', 'password'),
    ...auth('/sign-in/email', 'email', 'password'),
    ...auth('/request-password-reset', 'email'),
    ...auth('/reset-password', 'token', 'password'),
    ...auth('/confirm-email', 'token'),
    ...auth('/confirm-sign-up', 'token'),
    ...auth('/change-email', 'newEmail'),
    member('/api/auth/oauth2/register', 'client_name', { redirect_uris: ['https://example.com/'] }),
    {
      ...member('/api/auth/oauth2/register', 'redirect_uris'),
      request: (text) => ({
        ...{ path: '/api/auth/oauth2/register', method: 'POST', headers: JSON_BODY },
        body: JSON.stringify({ redirect_uris: [`https://example.com/${text}`] }),
      }),
    },
    {
      name: 'POST /api/engagement',
      most: ENGAGEMENT,
      request: (text) => ({
        ...{ path: '/api/engagement', method: 'POST', headers: JSON_BODY },
        body: JSON.stringify({ events: [{ kind: 'QUALITY_CHANGE', quality: text }] }),
      }),
    },
    {
      name: 'POST /mcp: search_tools',
      most: MEMBER,
      request: (text) => ({
        ...{ path: '/mcp', method: 'POST' },
        headers: { ...JSON_BODY, accept: 'application/json, text/event-stream', ...credential },
        body: JSON.stringify({
          ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
          params: { name: 'search_tools', arguments: { query: text } },
        }),
      }),
    },
    header('upload-metadata', '/uploads', 'POST', tus),
    ...['accept', 'accept-language', 'accept-encoding', 'cookie', 'if-none-match', 'user-agent', 'x-request-id'].map(
      (name) => header(name),
    ),
    header('authorization', '/graphql'),
    header('range', '/media/none'),
    parameter('/docs/search', 'q'),
    parameter('/graphql', 'query'),
    parameter('/', 'token'),
    {
      name: 'GET /media/*',
      most: ADDRESS,
      request: (text) => ({ path: `/media/${addressed(text)}`, method: 'GET' }),
    },
  ];
}

/** As much of the encoded text as an address may have. */
const addressed = (text: string): string => encodeURIComponent(text).slice(0, ADDRESS).replace(/%.?$/, '');

/** Headers have visible ASCII: everything else is one letter. */
const sendable = (text: string): string => text.replace(/[^\x21-\x7e ]/g, 'x').replaceAll(/^ | $/g, 'x');
