import { AppError } from '../../kernel/errors.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Route } from '../../platform/routing.ts';
import { checkAccountInput, checkPassword } from './account-input.policy.ts';
import type { Auth } from './auth.ts';
import { authFailure } from './auth-failures.ts';
import { type Body, readJson, send, toFetchRequest } from './auth-requests.ts';
import { assertNamesFree } from './names-free.ts';

interface Endpoint {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** What is passed on of the body; throws AppError for what is not accepted. */
  readonly prepare: (body: Body, db: Database) => Promise<Body> | Body;
}

/** The library's endpoints that are offered, and nothing else of what it has. */
const ENDPOINTS: readonly Endpoint[] = [
  { method: 'POST', path: '/sign-up/email', prepare: prepareSignUp },
  { method: 'POST', path: '/sign-in/email', prepare: prepareSignIn },
  { method: 'POST', path: '/sign-out', prepare: () => ({}) },
  { method: 'GET', path: '/get-session', prepare: () => ({}) },
  { method: 'GET', path: '/list-sessions', prepare: () => ({}) },
  { method: 'POST', path: '/revoke-session', prepare: ({ token }) => ({ token }) },
  { method: 'POST', path: '/revoke-other-sessions', prepare: () => ({}) },
  { method: 'POST', path: '/change-password', prepare: prepareChangePassword },
  { method: 'POST', path: '/oauth2/consent', prepare: prepareConsent },
];

/** Routes of sign-up, sign-in and sessions under /api/auth. */
export function authRoutes(auth: Auth, db: Database, baseUrl: string): Route[] {
  const origin = new URL(baseUrl).origin;
  return ENDPOINTS.map((endpoint) => ({
    method: endpoint.method,
    path: `/api/auth${endpoint.path}`,
    handle: async (request, response, context) => {
      const received = endpoint.method === 'POST' ? await readJson(request) : {};
      const body = await endpoint.prepare(received, db);
      const answer = await auth.handler(toFetchRequest(request, context, origin, endpoint, body));
      if (!answer.ok) throw await failureOf(answer, body, db);
      await send(response, answer);
    },
  }));
}

async function prepareSignUp(body: Body, db: Database): Promise<Body> {
  const input = checkAccountInput({ email: body.email, username: body.username, password: body.password, name: body.name });
  await assertNamesFree(db, input.email, input.username);
  return { ...input, ...rememberMe(body) };
}

function prepareSignIn(body: Body): Body {
  for (const field of ['email', 'password']) {
    const value = body[field];
    if (typeof value !== 'string' || value === '') throw new AppError('FIELD_REQUIRED', `${field} is missing.`, { field });
    if (value.length > 1_000) throw new AppError('INVALID_INPUT', `${field} is too long.`, { field });
  }
  return { email: body.email, password: body.password, ...rememberMe(body) };
}

function prepareChangePassword(body: Body): Body {
  const { currentPassword } = body;
  if (typeof currentPassword !== 'string' || currentPassword === '') {
    throw new AppError('FIELD_REQUIRED', 'currentPassword is missing.', { field: 'currentPassword' });
  }
  return { currentPassword, newPassword: checkPassword(body.newPassword, 'newPassword'), revokeOtherSessions: true };
}

/** The answer to a request to connect; `oauth_query` is the signed query of the page that asked. */
function prepareConsent({ accept, oauth_query: query }: Body): Body {
  if (typeof accept !== 'boolean') throw new AppError('FIELD_REQUIRED', 'accept is missing.', { field: 'accept' });
  if (typeof query !== 'string' || query === '') throw new AppError('FIELD_REQUIRED', 'oauth_query is missing.', { field: 'oauth_query' });
  return { accept, oauth_query: query };
}

/** False: the cookie ends with the browser session. */
function rememberMe(body: Body): Body {
  return body.rememberMe === false ? { rememberMe: false } : {};
}

async function failureOf(answer: Response, body: Body, db: Database): Promise<AppError> {
  const failure = await authFailure(answer);
  // Between our look and the library's insert somebody else may have taken the name; then say which.
  if (answer.status === 422 && typeof body.username === 'string') await assertNamesFree(db, String(body.email), body.username);
  return failure;
}
