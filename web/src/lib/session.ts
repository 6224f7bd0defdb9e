import { useSyncExternalStore } from 'react';
import { ApiError, unreachable } from './api.ts';

/** Who is signed in, as the browser's cookie says; asked for once and again after signing in or out. */
export interface SessionUser {
  readonly username: string;
  readonly email: string;
}

type State = { readonly known: false } | { readonly known: true; readonly user: SessionUser | null };

let state: State = { known: false };
let asked: Promise<SessionUser | null> | null = null;
const listeners = new Set<() => void>();

function become(user: SessionUser | null): SessionUser | null {
  state = { known: true, user };
  for (const listener of listeners) listener();
  return user;
}

/** The signed-in user, null when nobody is. Throws ApiError when the server cannot be reached. */
export function currentUser(): Promise<SessionUser | null> {
  asked ??= authRequest<{ user: SessionUser } | null>('get-session').then(
    (session) => become(session?.user ?? null),
    (error: unknown) => {
      asked = null;
      throw error;
    },
  );
  return asked;
}

export async function signIn(credentials: { email: string; password: string }): Promise<void> {
  await authRequest('sign-in/email', { ...credentials, rememberMe: true });
  await refresh();
}

/** Who may create an account here, as the page of this server states it. */
export function signUpMode(): 'open' | 'invite' | 'closed' {
  const stated = document.querySelector<HTMLMetaElement>('meta[name="sign-up"]')?.content;
  return stated === 'invite' || stated === 'closed' ? stated : 'open';
}

export async function signUp(account: { email: string; password: string; username: string; invitation: string }): Promise<void> {
  await authRequest('sign-up/email', { ...account, name: account.username });
  await refresh();
}

export async function signOut(): Promise<void> {
  await authRequest('sign-out', {});
  asked = Promise.resolve(null);
  become(null);
}

function refresh(): Promise<SessionUser | null> {
  asked = null;
  return currentUser();
}

/** `undefined` until the server has answered. */
export function useUser(): SessionUser | null | undefined {
  const current = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => state,
  );
  return current.known ? current.user : undefined;
}

interface AuthFailure {
  readonly message?: string;
  readonly code?: string;
  readonly errors?: readonly { message: string; code: string; field?: string; suggestedFix?: string; documentation?: string }[];
}

/**
 * A request to the endpoints of sign-in and connected applications. They refuse with `{ message, code }`; faults of the platform itself
 * come as `{ errors: […] }`. Throws ApiError.
 */
export function authRequest<Result>(path: string, body?: object): Promise<Result> {
  return restRequest(`/api/auth/${path}`, body);
}

/** As {@link authRequest}, for what else is for signed-in people and not part of the API. */
export async function restRequest<Result>(path: string, body?: object): Promise<Result> {
  const init: RequestInit = body ? { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {};
  const response = await fetch(path, { ...init, credentials: 'same-origin' }).catch((error: unknown) => {
    throw unreachable(error instanceof Error ? error.message : 'no response');
  });
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok) return answer as Result; // the shape is the endpoint's; callers state it
  const failure = (answer ?? {}) as AuthFailure; // every member is optional
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
