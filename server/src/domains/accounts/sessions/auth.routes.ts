import { AppError, errorExtensions } from '../../../kernel/errors.ts';
import { localized } from '../../../kernel/languages/catalogs.ts';
import type { Language } from '../../../kernel/languages/languages.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Config } from '../../../platform/config/config.ts';
import type { Route } from '../../../platform/routing.ts';
import { sendJson } from '../../../platform/send-json.ts';
import { type Body, readJson, send, toFetchRequest } from '../auth-requests.ts';
import { explainRefusal } from '../suspension/suspension.ts';
import {
  type AuthRoutesOptions,
  type Caller,
  type Endpoint,
  NOTHING,
  noteOf,
  noteSignUp,
  type Prepared,
} from './auth-endpoint.ts';
import { authFailure, saysClosed } from './auth-errors.ts';
import { preparePasswordChange } from './change-password.ts';
import { deviceOf } from './session-cookie.ts';
import { assertStillFree, prepareSignUp } from './sign-up.ts';
import { STRONG_SIGN_IN_ENDPOINTS } from './strong-sign-in/strong-sign-in-endpoints.ts';

/** The library's endpoints that are exposed; all others are not. */
const ENDPOINTS: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/sign-up/email',
    needsNoSession: true,
    prepare: async (body, options, caller) => ({
      body: { ...(await prepareSignUp(body, options, caller.clientAddress)), ...rememberMe(body) },
      afterwards: (result) => noteSignUp(options, caller, result),
    }),
  },
  { method: 'POST', path: '/sign-in/email', needsNoSession: true, prepare: prepareSignIn },
  { method: 'POST', path: '/sign-out', needsNoSession: true, prepare: NOTHING },
  { method: 'GET', path: '/get-session', prepare: NOTHING },
  { method: 'GET', path: '/list-sessions', prepare: NOTHING },
  { method: 'POST', path: '/revoke-session', prepare: ({ token }) => ({ body: { token } }) },
  { method: 'POST', path: '/revoke-other-sessions', prepare: NOTHING },
  {
    method: 'POST',
    path: '/change-password',
    prepare: (body, options, { sessionToken }) => preparePasswordChange(body, options, sessionToken),
  },
  { method: 'POST', path: '/oauth2/consent', prepare: prepareConsent },
  ...STRONG_SIGN_IN_ENDPOINTS,
];

/** Where mail reaches people, a sign-up is completed by a link instead (`confirmation/`). */
function endpointsOf(mail: Config['MAIL']): readonly Endpoint[] {
  return mail === 'smtp' ? ENDPOINTS.filter(({ path }) => path !== '/sign-up/email') : ENDPOINTS;
}

/** An error as others are rendered. */
function rendered(error: AppError, baseUrl: string, language: Language): object {
  return { message: localized(error.text, language), ...errorExtensions(error, baseUrl, language) };
}

/** Routes of sign-up, sign-in and sessions under /api/auth. */
export function authRoutes(options: AuthRoutesOptions): Route[] {
  const { auth, platform } = options;
  const origin = new URL(platform.config.BASE_URL).origin;
  return endpointsOf(platform.config.MAIL).map((endpoint): Route => {
    const libraryEndpoint = { path: endpoint.path, method: endpoint.libraryMethod ?? endpoint.method };
    return {
      method: endpoint.method,
      path: `/api/auth${endpoint.path}`,
      handle: async (request, response, context) => {
        const received = endpoint.method === 'POST' ? await readJson(request) : {};
        const caller: Caller = {
          clientAddress: context.clientAddress,
          userAgent: request.headers['user-agent'] ?? '',
          sessionToken: options.sessionTokenFrom(request),
          device: deviceOf(request.headers.cookie, platform.config.BASE_URL),
          language: context.language,
          cookies: [],
        };
        const { sessionToken: token, language } = caller;
        const suspended =
          token === null || endpoint.needsNoSession ? null : await explainRefusal(platform, { kind: 'session', token });
        if (suspended) {
          // The library would delete the session, which says why it is refused as long as it is kept.
          if (endpoint.path !== '/get-session') throw suspended;
          const refusal = rendered(suspended, platform.config.BASE_URL, language);
          return sendJson(response, 200, { user: null, session: null, refusal });
        }
        const { body, attempt, afterwards } = await endpoint.prepare(received, options, caller);
        const result = await auth
          .handler(toFetchRequest(request, context, origin, libraryEndpoint, body))
          .catch(async (error: unknown) => {
            await attempt?.withdrawn();
            throw error;
          });
        if (await saysClosed(result)) {
          await attempt?.succeeded();
          return sendJson(response, 200, { accountClosed: true });
        }
        if (!result.ok) {
          if (endpoint.path === '/sign-up/email') await assertStillFree(body, received, options);
          const failure = await authFailure(result, { left: attempt?.left, contact: platform.config.CONTACT });
          if (!isWrongPassword(failure)) await attempt?.withdrawn();
          throw failure;
        }
        await attempt?.succeeded();
        // It was done, whatever becomes of the message about it.
        await afterwards?.(result.clone()).catch((error: unknown) =>
          platform.log.error({ error }, 'The message about a sign-in or a new password was not sent.'),
        );
        await send(response, result, caller.cookies);
      },
    };
  });
}

function isWrongPassword({ code, field }: AppError): boolean {
  return code === 'UNAUTHENTICATED' || field === 'currentPassword';
}

async function prepareSignIn(body: Body, options: AuthRoutesOptions, caller: Caller): Promise<Prepared> {
  const { email, password } = body;
  for (const [field, value] of Object.entries({ email, password })) {
    if (typeof value !== 'string' || value === '')
      throw new AppError('FIELD_REQUIRED', t`${field} is missing.`, { field });
    if (value.length > 1_000) throw new AppError('INVALID_INPUT', t`${field} is too long.`, { field });
  }
  return {
    body: { email, password, ...rememberMe(body) },
    attempt: await options.attempts.signIn(String(email), caller.clientAddress),
    afterwards: (result) => noteOf(options, caller, result),
  };
}

/** The decision on a connection request; `oauth_query` is the signed query of the consent page. */
function prepareConsent({ accept, oauth_query: query }: Body): Prepared {
  if (typeof accept !== 'boolean') throw new AppError('FIELD_REQUIRED', t`accept is missing.`, { field: 'accept' });
  if (typeof query !== 'string' || query === '')
    throw new AppError('FIELD_REQUIRED', t`oauth_query is missing.`, { field: 'oauth_query' });
  return { body: { accept, oauth_query: query } };
}

/** False: the cookie ends with the browser session. */
function rememberMe(body: Body): Body {
  return body.rememberMe === false ? { rememberMe: false } : {};
}
