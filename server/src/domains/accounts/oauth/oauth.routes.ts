import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestContext, Route } from '../../../platform/routing.ts';
import type { Auth } from '../sessions/auth.ts';
import { type Body, CLIENT_ADDRESS_HEADER, readJson, readText } from '../sessions/auth-requests.ts';
import type { OauthApplications } from './oauth-applications.ts';
import { prepareRegistration } from './oauth-registration.ts';
import { NO_STORE, relay, sendJson, worded } from './oauth-responses.ts';
import { CONNECT_PAGE, oauthIssuer, oauthResource } from './oauth-tokens.ts';

/** Parameters of an authorization request that are passed on; the library knows others, for what is not offered. */
export const AUTHORIZE_PARAMETERS = [
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'resource',
];

/** Members of the library's metadata that are true of what is offered here. */
const METADATA = [
  'issuer',
  'authorization_endpoint',
  'token_endpoint',
  'registration_endpoint',
  'revocation_endpoint',
  'scopes_supported',
  'response_types_supported',
  'response_modes_supported',
  'grant_types_supported',
  'code_challenge_methods_supported',
  'authorization_response_iss_parameter_supported',
];
const CLIENT_AUTHENTICATION = ['none', 'client_secret_basic', 'client_secret_post'];

export interface OauthRoutesOptions {
  readonly auth: Auth;
  readonly applications: OauthApplications;
  readonly baseUrl: string;
}

/** The authorization server's endpoints under /api/auth, and its metadata where clients look for it (RFC 8414 section 3.1). */
export function oauthRoutes(options: OauthRoutesOptions): Route[] {
  const issuer = new URL(oauthIssuer(options.baseUrl));
  const wellKnown = '/.well-known/oauth-authorization-server';
  const metadataPaths = [wellKnown, `${wellKnown}${issuer.pathname}`, `${issuer.pathname}${wellKnown}`];
  const path = (name: string) => `${issuer.pathname}/oauth2/${name}`;
  // The library is asked once: its limit on requests counts these of everybody together.
  let metadata: object | null = null;
  const sendMetadata = async (response: ServerResponse): Promise<void> => {
    metadata ??= await readMetadata(options);
    sendJson(response, 200, metadata, { 'cache-control': 'public, max-age=60' });
  };
  return [
    ...metadataPaths.map((at): Route => ({ method: 'GET', path: at, handle: (_, response) => sendMetadata(response) })),
    { method: 'GET', path: path('authorize'), handle: (_, response, context) => authorize(options, response, context) },
    ...['token', 'revoke'].map(
      (name): Route => ({
        method: 'POST',
        path: path(name),
        handle: worded('invalid_request', (request, response, context) => exchange(options, path(name), request, response, context)),
      }),
    ),
    {
      method: 'POST',
      path: path('register'),
      handle: worded('invalid_client_metadata', (request, response, context) => register(options, request, response, context)),
    },
  ];
}

/** The metadata: the library's, of what is offered here. */
async function readMetadata({ auth, baseUrl }: OauthRoutesOptions): Promise<object> {
  const answer = await auth.handler(new Request(`${oauthIssuer(baseUrl)}/.well-known/oauth-authorization-server`));
  if (!answer.ok) throw new Error(`The library answered ${answer.status} for its metadata.`);
  const known = (await answer.json()) as Body; // the library's metadata is an object
  return {
    ...Object.fromEntries(METADATA.map((name) => [name, known[name]])),
    token_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    revocation_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
  };
}

/**
 * Sends the browser to the page that asks the person, or back to the application with what is wrong. The person is asked every time:
 * whoever says to be a known application cannot prove it (RFC 8252 section 8.6). The resource is ours where none is named.
 */
async function authorize(options: OauthRoutesOptions, response: ServerResponse, { url, clientAddress }: RequestContext): Promise<void> {
  const { auth, applications, baseUrl } = options;
  const resource = oauthResource(baseUrl);
  await applications.prepare();
  const target = new URL(`${oauthIssuer(baseUrl)}/oauth2/authorize`);
  for (const name of AUTHORIZE_PARAMETERS)
    for (const value of url.searchParams.getAll(name).slice(0, name === 'resource' ? 5 : 1)) target.searchParams.append(name, value);
  if (!target.searchParams.has('resource')) target.searchParams.set('resource', resource);
  target.searchParams.set('prompt', 'consent');
  const headers = { [CLIENT_ADDRESS_HEADER]: clientAddress, accept: 'text/html', 'sec-fetch-mode': 'navigate' };
  const answer = await auth.handler(new Request(target, { headers }));
  const location = answer.headers.get('location');
  if (location === null) return relay(answer, response);
  response.writeHead(302, { location: asOneParameter(location), ...NO_STORE }).end();
}

/** The page gets the signed query as the one parameter `request`, which nothing on the way takes apart. */
function asOneParameter(location: string): string {
  const start = `${CONNECT_PAGE}?`;
  return location.startsWith(start) ? `${start}${new URLSearchParams({ request: location.slice(start.length) })}` : location;
}

/** The token and revocation endpoints: forms, from programs, without cookies (RFC 6749 section 3.2, RFC 7009 section 2.1). */
async function exchange(
  { auth, applications, baseUrl }: OauthRoutesOptions,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
  context: RequestContext,
): Promise<void> {
  const form = await readText(request);
  await applications.sweep();
  const headers = programHeaders(request, context);
  const grant = grantIn(new URLSearchParams(form));
  const ask = () => auth.handler(new Request(new URL(path, baseUrl), { method: 'POST', headers, body: form }));
  const answer = await (grant === null ? ask() : applications.oneByOne(grant, ask));
  // The library refuses to revoke what is no token; RFC 7009 section 2.2 answers 200, because the token opens nothing either way.
  if (path.endsWith('/revoke') && answer.status === 400 && new URLSearchParams(form).get('token'))
    return sendJson(response, 200, {}, NO_STORE);
  return relay(answer, response);
}

/** The code or token that a form is about. */
function grantIn(form: URLSearchParams): string | null {
  return form.get('code') ?? form.get('refresh_token') ?? form.get('token');
}

/** Dynamic client registration (RFC 7591 section 3). */
async function register(
  { auth, applications, baseUrl }: OauthRoutesOptions,
  request: IncomingMessage,
  response: ServerResponse,
  context: RequestContext,
): Promise<void> {
  const metadata = prepareRegistration(await readJson(request));
  if ('error' in metadata) return sendJson(response, 400, metadata, NO_STORE);
  await applications.sweepUnused();
  const { authorization: _, ...headers } = programHeaders(request, context);
  const body = JSON.stringify(metadata);
  const answer = await auth.handler(new Request(`${oauthIssuer(baseUrl)}/oauth2/register`, { method: 'POST', headers, body }));
  return relay(answer, response);
}

function programHeaders(request: IncomingMessage, { clientAddress }: RequestContext): Record<string, string> {
  const { authorization, 'content-type': type = '' } = request.headers;
  return { [CLIENT_ADDRESS_HEADER]: clientAddress, 'content-type': type, ...(authorization ? { authorization } : {}) };
}
