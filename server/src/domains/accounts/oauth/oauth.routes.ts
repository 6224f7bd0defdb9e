import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestContext, Route } from '../../../platform/routing.ts';
import { type Body, CLIENT_ADDRESS_HEADER, readForm, readJson } from '../auth-requests.ts';
import { isDocumentAddress } from './metadata-document.ts';
import type { OauthApplications } from './oauth-applications.ts';
import { prepareRegistration } from './oauth-registration.ts';
import { NO_STORE, refusalIn, relay, sendJson, withErrorCode } from './oauth-responses.ts';
import { CONNECT_PAGE, oauthIssuer, oauthResource } from './oauth-tokens.ts';

/**
 * Parameters of an authorization request that are passed to the library; it has others, for features that are not
 * offered.
 */
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

/** Members of the library's metadata that hold for this server. */
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
  'client_id_metadata_document_supported',
];
const CLIENT_AUTHENTICATION = ['none', 'client_secret_basic', 'client_secret_post'];

export interface OauthRoutesOptions {
  /** The library's handler of requests under /api/auth. */
  readonly auth: { handler(request: Request): Promise<Response> };
  readonly applications: OauthApplications;
  readonly baseUrl: string;
}

/**
 * The authorization server's endpoints under /api/auth, and its metadata where clients look for it (RFC 8414 section
 * 3.1).
 */
export function oauthRoutes(options: OauthRoutesOptions): Route[] {
  const issuer = new URL(oauthIssuer(options.baseUrl));
  const wellKnown = '/.well-known/oauth-authorization-server';
  const metadataPaths = [wellKnown, `${wellKnown}${issuer.pathname}`, `${issuer.pathname}${wellKnown}`];
  const path = (name: string) => `${issuer.pathname}/oauth2/${name}`;
  // Requested once from the library: its rate limit counts these requests of all clients together.
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
        handle: withErrorCode('invalid_request', (request, response, context) =>
          exchange(options, path(name), request, response, context),
        ),
      }),
    ),
    {
      method: 'POST',
      path: path('register'),
      handle: withErrorCode('invalid_client_metadata', (request, response, context) =>
        register(options, request, response, context),
      ),
    },
  ];
}

/** The library's metadata, reduced to what this server offers. */
async function readMetadata({ auth, baseUrl }: OauthRoutesOptions): Promise<object> {
  const result = await auth.handler(new Request(`${oauthIssuer(baseUrl)}/.well-known/oauth-authorization-server`));
  if (!result.ok) throw new Error(`The library responded with ${result.status} for its metadata.`);
  const known = (await result.json()) as Body; // the library's metadata is an object
  return {
    ...Object.fromEntries(METADATA.map((name) => [name, known[name]])),
    token_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    revocation_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
  };
}

/**
 * Redirects the browser to the consent page, or back to the application with an error. Consent is requested every time,
 * because a public client cannot prove its identity (RFC 8252 section 8.6). The resource defaults to ours.
 */
async function authorize(
  options: OauthRoutesOptions,
  response: ServerResponse,
  { url, clientAddress }: RequestContext,
): Promise<void> {
  const { auth, applications, baseUrl } = options;
  const resource = oauthResource(baseUrl);
  await applications.prepare();
  const target = new URL(`${oauthIssuer(baseUrl)}/oauth2/authorize`);
  for (const name of AUTHORIZE_PARAMETERS)
    for (const value of url.searchParams.getAll(name).slice(0, name === 'resource' ? 5 : 1))
      target.searchParams.append(name, value);
  if (isDocumentAddress(url.searchParams.get('client_id') ?? '')) await applications.sweepUnusedDocuments();
  if (!target.searchParams.has('resource')) target.searchParams.set('resource', resource);
  target.searchParams.set('prompt', 'consent');
  const headers = { [CLIENT_ADDRESS_HEADER]: clientAddress, accept: 'text/html', 'sec-fetch-mode': 'navigate' };
  const result = await auth.handler(new Request(target, { headers }));
  const location = result.headers.get('location');
  if (location === null && result.status !== 400) return relay(result, response);
  const next = location === null ? await refusalPage(result) : asOneParameter(location);
  response.writeHead(302, { location: next, ...NO_STORE }).end();
}

/** The page for a person whose application is refused, with the reason for its author. */
async function refusalPage(result: Response): Promise<string> {
  const { error, error_description: why = '' } = await refusalIn(result);
  return `${CONNECT_PAGE}?${new URLSearchParams({ error, error_description: why })}`;
}

/** The page gets the signed query as the single parameter `request`, which arrives unchanged. */
function asOneParameter(location: string): string {
  const start = `${CONNECT_PAGE}?`;
  return location.startsWith(start)
    ? `${start}${new URLSearchParams({ request: location.slice(start.length) })}`
    : location;
}

/**
 * The token and revocation endpoints: forms, from programs, without cookies (RFC 6749 section 3.2, RFC 7009 section
 * 2.1).
 */
async function exchange(
  { auth, applications, baseUrl }: OauthRoutesOptions,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
  context: RequestContext,
): Promise<void> {
  const form = await readForm(request);
  await applications.sweep();
  const headers = programHeaders(request, context);
  const grant = grantIn(form);
  const ask = () => auth.handler(new Request(new URL(path, baseUrl), { method: 'POST', headers, body: `${form}` }));
  const result = await (grant === null ? ask() : applications.oneByOne(grant, ask));
  // The library refuses to revoke an unknown token; RFC 7009 section 2.2 requires 200, because the token is invalid
  // either way.
  if (path.endsWith('/revoke') && result.status === 400 && form.get('token'))
    return sendJson(response, 200, {}, NO_STORE);
  return relay(result, response);
}

/** The code or token of a form. */
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
  const result = await auth.handler(
    new Request(`${oauthIssuer(baseUrl)}/oauth2/register`, { method: 'POST', headers, body }),
  );
  return relay(result, response);
}

function programHeaders(request: IncomingMessage, { clientAddress }: RequestContext): Record<string, string> {
  const { authorization, 'content-type': type = '' } = request.headers;
  return { [CLIENT_ADDRESS_HEADER]: clientAddress, 'content-type': type, ...(authorization ? { authorization } : {}) };
}
