import { queryOptions, useQuery } from '@tanstack/react-query';
import { ApiError, unreachable } from './api.ts';
import { queryClient } from './query.ts';

/** The signed-in user, as the session cookie identifies them. */
export interface SessionUser {
  readonly username: string;
  readonly email: string;
}

const SESSION = queryOptions({
  queryKey: ['session'],
  queryFn: async () => (await authRequest<{ user: SessionUser } | null>('get-session'))?.user ?? null,
  staleTime: Number.POSITIVE_INFINITY, // changes only by signing in and out
  gcTime: Number.POSITIVE_INFINITY,
});

/** The signed-in user, or null. Throws ApiError when the server cannot be reached. */
export function currentUser(): Promise<SessionUser | null> {
  return queryClient.ensureQueryData(SESSION);
}

/** The same for components; `undefined` until the server has responded. */
export function useUser(): SessionUser | null | undefined {
  return useQuery(SESSION).data;
}

export async function signIn(credentials: { email: string; password: string }): Promise<void> {
  await authRequest('sign-in/email', { ...credentials, rememberMe: true });
  await sessionChanged();
}

/** Who can create an account, as the server states in its pages. */
export function signUpMode(): 'open' | 'invite' | 'closed' {
  const stated = document.querySelector<HTMLMetaElement>('meta[name="sign-up"]')?.content;
  return stated === 'invite' || stated === 'closed' ? stated : 'open';
}

export async function signUp(account: {
  email: string;
  password: string;
  username: string;
  invitation: string;
}): Promise<void> {
  await authRequest('sign-up/email', { ...account, name: account.username });
  await sessionChanged();
}

/** Whether messages of the server reach their recipients, as the server states in its pages. */
export function sendsMail(): boolean {
  return document.querySelector<HTMLMetaElement>('meta[name="mail"]')?.content === 'smtp';
}

export async function requestPasswordReset(email: string): Promise<void> {
  await authRequest('request-password-reset', { email });
}

/** The account must sign in again afterwards. */
export async function resetPassword(token: string, newPassword: string): Promise<void> {
  await authRequest('reset-password', { token, newPassword });
  await sessionChanged(null);
}

export async function changePassword(currentPassword: string, newPassword: string): Promise<void> {
  await authRequest('change-password', { currentPassword, newPassword });
}

/** A browser in which the account is signed in. */
export interface BrowserSession {
  readonly id: string;
  /** Identifies it to {@link endSession}. */
  readonly token: string;
  readonly userAgent: string | null;
  readonly ipAddress: string | null;
  readonly createdAt: string;
  /** When it was last prolonged, at most a day ago for one in use. */
  readonly updatedAt: string;
  /** Whether it is this one. */
  readonly isCurrent: boolean;
}

/** The account's sessions, this one first, then by their last use. */
export async function browserSessions(): Promise<readonly BrowserSession[]> {
  const [sessions, current] = await Promise.all([
    authRequest<Omit<BrowserSession, 'isCurrent'>[]>('list-sessions'),
    authRequest<{ session: { id: string } } | null>('get-session'),
  ]);
  return sessions
    .map((session) => ({ ...session, isCurrent: session.id === current?.session.id }))
    .sort((a, b) => Number(b.isCurrent) - Number(a.isCurrent) || b.updatedAt.localeCompare(a.updatedAt));
}

export async function endSession(token: string): Promise<void> {
  await authRequest('revoke-session', { token });
}

export async function endOtherSessions(): Promise<void> {
  await authRequest('revoke-other-sessions', {});
}

export async function signOut(): Promise<void> {
  await authRequest('sign-out', {});
  await sessionChanged(null);
}

/** Drops what was loaded for the previous user. */
async function sessionChanged(user?: null): Promise<void> {
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION.queryKey[0] });
  if (user === null) queryClient.setQueryData(SESSION.queryKey, null);
  else await queryClient.fetchQuery({ ...SESSION, staleTime: 0 });
}

interface AuthFailure {
  readonly message?: string;
  readonly code?: string;
  readonly errors?: readonly {
    message: string;
    code: string;
    field?: string;
    suggestedFix?: string;
    documentation?: string;
  }[];
}

/**
 * A request to the endpoints for sign-in and connected applications. They respond with `{ message, code }` to invalid
 * requests, and with `{ errors: […] }` to errors of the server. Throws ApiError.
 */
export function authRequest<Result>(path: string, body?: object): Promise<Result> {
  return restRequest(`/api/auth/${path}`, body);
}

/** The same for other REST endpoints that are not part of the GraphQL API. */
export async function restRequest<Result>(path: string, body?: object): Promise<Result> {
  const init: RequestInit = body
    ? { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    : {};
  const response = await fetch(path, { ...init, credentials: 'same-origin' }).catch((error: unknown) => {
    throw unreachable(error instanceof Error ? error.message : 'no response');
  });
  const payload: unknown = await response.json().catch(() => null);
  if (response.ok) return payload as Result; // callers know the shape of the endpoint
  const failure = (payload ?? {}) as AuthFailure; // every member is optional
  const [first] = failure.errors ?? [];
  if (first) throw new ApiError({ message: first.message, extensions: first });
  if (response.status === 429) {
    throw new ApiError({
      message: 'Too many attempts.',
      extensions: { code: 'RATE_LIMIT_EXCEEDED', suggestedFix: 'Wait a minute, then try again.' },
    });
  }
  throw new ApiError({
    message: failure.message ?? `The server responded with status ${response.status}.`,
    extensions: { code: failure.code ?? 'INVALID_INPUT' },
  });
}
