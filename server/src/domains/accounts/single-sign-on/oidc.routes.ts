import type { IncomingMessage } from 'node:http';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { RequestContext, Route } from '../../../platform/routing.ts';
import { sendJson } from '../../../platform/send-json.ts';
import type { Attempts } from '../attempts/attempts.ts';
import { type Body, forwardedHeaders, readForm, readJson, readMember, send } from '../auth-requests.ts';
import { provePassword } from '../passwords/prove-password.ts';
import type { Auth } from '../sessions/auth.ts';
import { authFailure } from '../sessions/auth-errors.ts';
import { requireSessionAccount } from '../sessions/session-account.ts';
import { deviceCookie, deviceOf, oidcCookie, sessionTokenOf } from '../sessions/session-cookie.ts';
import { noteSignIn } from '../sessions/sign-in-alert.ts';
import { storeLink } from './account-of-identity.ts';
import { InvalidLogoutToken, logOutByBackChannel } from './back-channel-logout.ts';
import { linkedIdentities } from './linked-identities.ts';
import { newOidcRequest, type OidcRequest, requireOidcRequest } from './oidc-request.ts';
import type { Provider } from './provider.ts';
import { signInByProvider } from './sign-in-by-provider.ts';
import { unlinkProvider } from './unlink-provider.ts';

export interface OidcRoutesOptions {
  readonly platform: Pick<Platform, 'config' | 'db' | 'clock' | 'secrets' | 'log' | 'jobs'>;
  readonly auth: Auth;
  readonly attempts: Attempts;
  readonly providers: readonly Provider[];
  readonly sessionTokenFrom: (request: Pick<IncomingMessage, 'headers'>) => string | null;
}

/** Routes of sign-in with OpenID Connect providers under /api/auth; none without a provider. */
export function oidcRoutes(options: OidcRoutesOptions): Route[] {
  if (options.providers.length === 0) return [];
  return [...signInRoutes(options), ...linkRoutes(options), ...options.providers.map(logoutRoute(options.platform))];
}

function signInRoutes(options: OidcRoutesOptions): Route[] {
  const { platform } = options;
  return [
    {
      method: 'POST',
      path: '/api/auth/oidc/start',
      handle: async (request, response) => {
        const body = await readJson(request);
        const provider = providerOf(options, body);
        const given = { invitation: optional(body, 'invitation'), next: optional(body, 'next'), linkTo: null };
        const { url, cookie } = await begin(platform, provider, given);
        response.setHeader('set-cookie', cookie);
        sendJson(response, 200, { url });
      },
    },
    {
      method: 'POST',
      path: '/api/auth/oidc/finish',
      handle: async (request, response, context) => {
        const body = await readJson(request);
        const provider = providerOf(options, body);
        const query = new URLSearchParams(readQuery(body));
        const { cookie } = request.headers;
        const begun = requireOidcRequest(platform, cookie, provider.settings.name, query.get('state'));
        response.setHeader('set-cookie', oidcCookie('', 0, platform.config.BASE_URL));
        if (begun.linkTo === null) return finishSignIn(options, provider, { begun, query, request, response, context });
        const account = await requireSessionAccount(platform, options.sessionTokenFrom(request));
        if (account.id !== begun.linkTo) throw otherAccount();
        const { identity } = await complete(platform, provider, begun, query);
        await storeLink(platform, account.id, identity, provider.settings.LABEL);
        sendJson(response, 200, { status: 'LINKED' });
      },
    },
  ];
}

function linkRoutes(options: OidcRoutesOptions): Route[] {
  const { platform, attempts, providers } = options;
  const signedIn = (request: IncomingMessage) => requireSessionAccount(platform, options.sessionTokenFrom(request));
  return [
    {
      method: 'GET',
      path: '/api/auth/oidc/identities',
      handle: async (request, response) => {
        const account = await signedIn(request);
        sendJson(response, 200, await linkedIdentities(platform, providers, account.id));
      },
    },
    {
      method: 'POST',
      path: '/api/auth/oidc/link',
      handle: async (request, response) => {
        const account = await signedIn(request);
        const body = await readJson(request);
        const provider = providerOf(options, body);
        await provePassword(platform, attempts, account.id, body.password);
        const { url, cookie } = await begin(platform, provider, { invitation: null, next: null, linkTo: account.id });
        response.setHeader('set-cookie', cookie);
        sendJson(response, 200, { url });
      },
    },
    {
      method: 'POST',
      path: '/api/auth/oidc/unlink',
      handle: async (request, response) => {
        const account = await signedIn(request);
        const body = await readJson(request);
        const id = readMember(body, 'id');
        await unlinkProvider(platform, attempts, account.id, { id, password: body.password });
        sendJson(response, 200, { status: true });
      },
    },
  ];
}

/** The provider itself calls it, and gets the errors of the standard (section 2.8). */
function logoutRoute(platform: OidcRoutesOptions['platform']): (provider: Provider) => Route {
  return (provider) => ({
    method: 'POST',
    path: `/api/auth/oidc/${provider.settings.name}/back-channel-logout`,
    handle: async (request, response) => {
      const token = (await readForm(request)).get('logout_token') ?? '';
      response.setHeader('cache-control', 'no-store');
      try {
        await logOutByBackChannel(platform, provider, token);
        sendJson(response, 200, {});
      } catch (error) {
        if (error instanceof AppError && error.code !== 'UNAUTHENTICATED') throw error;
        if (!(error instanceof AppError || error instanceof InvalidLogoutToken)) throw error;
        const reason = error instanceof AppError ? error.cause : error;
        platform.log.warn({ error: reason, provider: provider.settings.name }, 'A logout token was refused.');
        const description = error instanceof InvalidLogoutToken ? error.message : 'the token is not valid';
        sendJson(response, 400, { error: 'invalid_request', error_description: description });
      }
    },
  });
}

interface Finishing {
  readonly begun: OidcRequest;
  readonly query: URLSearchParams;
  readonly request: IncomingMessage;
  readonly response: Parameters<Route['handle']>[1];
  readonly context: RequestContext;
}

async function finishSignIn(
  { platform, auth, attempts }: OidcRoutesOptions,
  provider: Provider,
  { begun, query, request, response, context }: Finishing,
): Promise<void> {
  const { BASE_URL, CONTACT } = platform.config;
  const { clientAddress, language } = context;
  const headers = forwardedHeaders(request, context);
  const found = await complete(platform, provider, begun, query);
  const startSession = async (accountId: Parameters<Auth['startSession']>[0]) => {
    const started = await auth.startSession(accountId, headers);
    if (!started.ok) throw await authFailure(started, { contact: CONTACT });
    return { response: started, token: sessionTokenOf(started, BASE_URL) };
  };
  const { invitation, next } = begun;
  const signedIn = await signInByProvider({ platform, attempts, startSession }, provider, found, {
    ...{ invitation, clientAddress, language },
  });
  const device = deviceOf(request.headers.cookie, BASE_URL);
  const userAgent = headers.get('user-agent') ?? '';
  const { accountId } = signedIn;
  // It is signed in, whatever becomes of the note about its browser.
  await noteSignIn(platform, { accountId, userAgent, clientAddress, device }).catch((error: unknown) =>
    platform.log.error({ error }, 'The browser of a sign-in was not noted.'),
  );
  const cookies = [deviceCookie(device, BASE_URL), oidcCookie('', 0, BASE_URL)];
  const body = Response.json({ status: 'SIGNED_IN', next }, { headers: signedIn.response.headers });
  await send(response, body, cookies);
}

/** Completes the sign-in at the provider; the reason of a failure is logged. */
async function complete(
  { log }: Pick<Platform, 'log'>,
  provider: Provider,
  begun: OidcRequest,
  query: URLSearchParams,
) {
  try {
    return await provider.complete(begun, query);
  } catch (error) {
    const { cause } = error instanceof AppError ? error : {};
    log.warn({ error: cause ?? error, provider: provider.settings.name }, 'A sign-in at a provider failed.');
    throw error;
  }
}

async function begin(
  platform: OidcRoutesOptions['platform'],
  provider: Provider,
  given: Pick<OidcRequest, 'invitation' | 'next' | 'linkTo'>,
): Promise<{ readonly url: string; readonly cookie: string }> {
  const { request, cookie } = newOidcRequest(platform, { ...given, provider: provider.settings.name });
  try {
    return { url: await provider.authorizeUrl(request), cookie };
  } catch (error) {
    const { cause } = error instanceof AppError ? error : {};
    platform.log.warn({ error: cause ?? error, provider: provider.settings.name }, 'A provider cannot be used.');
    throw error;
  }
}

function providerOf({ providers }: OidcRoutesOptions, body: Body): Provider {
  const name = readMember(body, 'provider');
  const provider = providers.find(({ settings }) => settings.name === name);
  if (provider) return provider;
  throw new AppError('RESOURCE_NOT_FOUND', t`There is no provider ${name}.`, { field: 'provider' });
}

function optional(body: Body, field: string): string | null {
  return typeof body[field] === 'string' && body[field].trim() !== '' ? readMember(body, field) : null;
}

const MAX_QUERY = 8_000;

/** The query with which the browser came back; codes of some providers have some thousand characters. */
function readQuery({ query }: Body): string {
  if (typeof query !== 'string') throw new AppError('FIELD_REQUIRED', t`query is missing.`, { field: 'query' });
  if (query.length > MAX_QUERY) throw new AppError('INVALID_INPUT', t`query is too long.`, { field: 'query' });
  return query;
}

function otherAccount(): AppError {
  return new AppError('INVALID_INPUT', t`You are signed in to another account than at the beginning.`, {
    suggestedFix: t`Link the provider in the security settings again.`,
  });
}
