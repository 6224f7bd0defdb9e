import { addressed, documentedTexts, fitting, HEAD, MEMBER, sendable } from './documented-texts.ts';
import type { CostTarget } from './measure.ts';
import type { RestCase } from './rest-case.ts';

const JSON_BODY = { 'content-type': 'application/json' };

const member = (path: string, name: string, others: object = {}): RestCase => ({
  name: `POST ${path}: ${name}`,
  most: MEMBER,
  request: (text) => {
    const body = JSON.stringify({ ...others, [name]: fitting(text, JSON.stringify) });
    return { path, method: 'POST', headers: JSON_BODY, body };
  },
});

const parameter = (path: string, name: string): RestCase => ({
  name: `GET ${path}?${name}`,
  most: HEAD,
  request: (text) => ({ path: `${path}?${name}=${addressed(text)}`, method: 'GET' }),
});

const header = (name: string, path = '/'): RestCase => ({
  name: `GET ${path}: ${name}`,
  most: HEAD,
  request: (text) => ({ path, method: 'GET', headers: { [name]: sendable(text) } }),
});

/** Every text that the routes besides GraphQL read: those of the OpenAPI document, and the others, listed here. */
export function restBodies({ credential }: Pick<CostTarget, 'credential'>): RestCase[] {
  const account = { name: 'a', email: 'a@example.com', username: 'aaaa', password: 'four plain words measured' };
  const auth = (path: string, ...names: string[]) => names.map((name) => member(`/api/auth${path}`, name, account));
  return [
    ...documentedTexts(credential),
    ...auth('/sign-up/email', 'name', 'email', 'username', 'password'),
    ...auth('/sign-in/email', 'email', 'password'),
    ...auth('/request-password-reset', 'email'),
    ...auth('/reset-password', 'token', 'password'),
    ...auth('/confirm-email', 'token'),
    ...auth('/confirm-sign-up', 'token'),
    ...auth('/change-email', 'newEmail'),
    {
      ...member('/api/auth/oauth2/register', 'redirect_uris, valid'),
      request: (text) => ({
        ...{ path: '/api/auth/oauth2/register', method: 'POST', headers: JSON_BODY },
        body: JSON.stringify({ redirect_uris: [`https://example.com/${text}`] }),
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
    ...['accept', 'accept-language', 'accept-encoding', 'cookie', 'if-none-match', 'user-agent', 'x-request-id'].map(
      (name) => header(name),
    ),
    header('authorization', '/graphql'),
    parameter('/docs/search', 'q'),
    parameter('/graphql', 'query'),
    parameter('/', 'token'),
  ];
}
