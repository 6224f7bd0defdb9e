import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '../../kernel/errors.ts';
import type { Database } from '../../platform/db/database.ts';
import type { RequestContext, Route } from '../../platform/routing.ts';
import { checkAccountInput, checkPassword } from './account-input.policy.ts';
import { type Auth, CLIENT_ADDRESS_HEADER } from './auth.ts';
import { authFailure } from './auth-failures.ts';
import { assertNamesFree } from './names-free.ts';

const MAX_BODY_BYTES = 16_384;
type Body = Readonly<Record<string, unknown>>;

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

async function readJson(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  // Stopping early must leave the connection open for the answer.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    if (sizeBytes > MAX_BODY_BYTES)
      throw new AppError('INVALID_INPUT', `The body exceeds ${MAX_BODY_BYTES} bytes.`, {
        suggestedFix: 'Send only the documented members.',
      });
    chunks.push(chunk);
  }
  if (sizeBytes === 0) return {};
  // A cross-site form cannot send this type without a preflight (Fetch standard, CORS-safelisted request headers).
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json')
    throw new AppError('INVALID_INPUT', 'The body must be JSON.', { suggestedFix: 'Send the header "Content-Type: application/json".' });
  const text = Buffer.concat(chunks).toString('utf8');
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new AppError('INVALID_INPUT', 'The body is not valid JSON.', { suggestedFix: 'Send one JSON object.' });
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new AppError('INVALID_INPUT', 'The body must be a JSON object.', { suggestedFix: 'Send one JSON object.' });
  }
  return parsed as Body; // checked above
}

const FORWARDED_HEADERS = ['cookie', 'origin', 'referer', 'user-agent', 'sec-fetch-site', 'sec-fetch-mode', 'sec-fetch-dest'];

/** Only headers the library needs, and the client's address as the edge determined it. */
function toFetchRequest(request: IncomingMessage, context: RequestContext, origin: string, endpoint: Endpoint, body: Body): Request {
  const headers = new Headers({ [CLIENT_ADDRESS_HEADER]: context.clientAddress });
  for (const name of FORWARDED_HEADERS) {
    const value = request.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  const url = `${origin}/api/auth${endpoint.path}`;
  if (endpoint.method === 'GET') return new Request(url, { headers });
  headers.set('content-type', 'application/json');
  return new Request(url, { method: 'POST', headers, body: JSON.stringify(body) });
}

async function send(response: ServerResponse, answer: Response): Promise<void> {
  const body = Buffer.from(await answer.arrayBuffer());
  const cookies = answer.headers.getSetCookie();
  if (cookies.length > 0) response.setHeader('set-cookie', cookies);
  response.writeHead(answer.status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
    'cache-control': 'no-store',
  });
  response.end(body);
}
