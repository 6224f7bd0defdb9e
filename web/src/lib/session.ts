import { queryOptions, useQuery } from '@tanstack/react-query';
import { ApiError, unreachable } from './api.ts';
import { t } from './i18n.ts';
import { queryClient } from './query.ts';

/** The signed-in user, as the session cookie identifies them. */
export interface SessionUser {
  readonly username: string;
  readonly email: string;
  /** Whether the address is confirmed. */
  readonly emailVerified: boolean;
  readonly twoFactorEnabled: boolean;
  /** Whether the account is an operator of the server. */
  readonly isOperator: boolean;
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

/** Whether the page shows itself to someone who is signed in; the session may have ended since. */
export const isPageSignedIn = (): boolean => Boolean(queryClient.getQueryData(SESSION.queryKey));

/** Whether someone is signed in; asks the server again where the page shows itself so. */
export async function isStillSignedIn(): Promise<boolean> {
  const again = () => queryClient.fetchQuery({ ...SESSION, staleTime: 0 });
  return Boolean((await currentUser().catch(() => null)) && (await again().catch(() => null)));
}

/** Why the session of this browser is refused, for a suspended account; null for every other visitor. */
export async function sessionRefusal(): Promise<ApiError | null> {
  const { refusal } = (await authRequest<{ refusal?: Refusal } | null>('get-session')) ?? {};
  return refusal ? new ApiError({ message: refusal.message, extensions: refusal }) : null;
}

/** Drops what was loaded for the previous user, and reads the session again unless there is none. */
export async function sessionChanged(user?: null): Promise<void> {
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION.queryKey[0] });
  if (user === null) queryClient.setQueryData(SESSION.queryKey, null);
  else await queryClient.fetchQuery({ ...SESSION, staleTime: 0 });
}

interface Refusal {
  readonly message: string;
  readonly code: string;
  readonly field?: string;
  readonly suggestedFix?: string;
  readonly documentation?: string;
}

interface AuthFailure {
  readonly message?: string;
  readonly code?: string;
  readonly errors?: readonly Refusal[];
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
  const response = await fetch(path, { ...init, credentials: 'same-origin' }).catch(() => {
    throw unreachable();
  });
  const payload: unknown = await response.json().catch(() => null);
  if (response.ok) return payload as Result; // callers know the shape of the endpoint
  const failure = (payload ?? {}) as AuthFailure; // every member is optional
  const [first] = failure.errors ?? [];
  if (first) throw new ApiError({ message: first.message, extensions: first });
  if (response.status === 429) {
    throw new ApiError({
      message: t`Too many attempts.`,
      extensions: { code: 'RATE_LIMIT_EXCEEDED', suggestedFix: t`Wait a minute, then try again.` },
    });
  }
  throw new ApiError({
    message: failure.message ?? t`The server responded with status ${response.status}.`,
    extensions: { code: failure.code ?? 'INVALID_INPUT' },
  });
}
