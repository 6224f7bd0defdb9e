import { authRequest, sessionChanged } from '../../lib/session.ts';

/** An OpenID Connect provider with which people sign in. */
export interface SignInProvider {
  readonly name: string;
  readonly label: string;
}

/** The providers of this server, as it states in its pages. */
export function signInProviders(): readonly SignInProvider[] {
  const stated = document.querySelector<HTMLMetaElement>('meta[name="sign-in-providers"]')?.content;
  return stated ? (JSON.parse(stated) as SignInProvider[]) : []; // written by the server
}

/** Leaves for the page of the provider. */
export async function signInAt(
  provider: string,
  given: { readonly next: string | undefined; readonly invitation: string | undefined },
): Promise<void> {
  const { url } = await authRequest<{ url: string }>('oidc/start', { provider, ...given });
  location.assign(url);
}

/**
 * Completes what began before the browser went to the provider; `query` is what it came back with.
 * @returns Where to go after a sign-in; 'linked' when the provider was linked to the account.
 */
export async function finishAt(provider: string, query: string): Promise<'linked' | { readonly next: string | null }> {
  const { status, next } = await authRequest<{ status: string; next: string | null }>('oidc/finish', {
    provider,
    query,
  });
  if (status === 'LINKED') return 'linked';
  await sessionChanged();
  return { next };
}

/** An identity with which the account signs in. */
export interface LinkedIdentity {
  readonly id: string;
  readonly issuer: string;
  /** Name of the provider; null for one that the server does not use any more. */
  readonly provider: string | null;
  readonly createdAt: string;
}

/** Those of the account, the oldest first. */
export async function linkedIdentities(): Promise<readonly LinkedIdentity[]> {
  return signInProviders().length === 0 ? [] : authRequest('oidc/identities');
}

/** Leaves for the page of the provider, which is linked to the account on the way back. */
export async function linkProvider(provider: string, password: string): Promise<void> {
  const { url } = await authRequest<{ url: string }>('oidc/link', { provider, password });
  location.assign(url);
}

/** Sessions that began with it end, too. */
export async function unlinkIdentity(id: string, password: string): Promise<void> {
  await authRequest('oidc/unlink', { id, password });
}
