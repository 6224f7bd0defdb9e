import { authRequest } from '../../lib/session.ts';

/** What an application claims about itself, unverified. */
export interface Application {
  readonly clientId: string;
  readonly name: string;
  readonly uri: string | null;
}

/** Host of the metadata document whose address is the client_id; null for a registered application. */
export function hostOfDocument(clientId: string): string | null {
  return /^https?:/.test(clientId) ? (URL.parse(clientId)?.host ?? null) : null;
}

/** What an application would get access to. */
export interface ConnectDetails {
  readonly application: Application;
  readonly username: string;
  readonly access:
    | { readonly eligible: true }
    | { readonly eligible: false; readonly reason: string; readonly howToBecomeEligible: string };
  readonly permissions: readonly { readonly name: string; readonly allows: string }[];
}

/** An application with access to the account. */
export interface Connection extends Application {
  readonly connectedAt: string;
  readonly lastUsedAt: string;
}

/** An authorization request, from the URL of the page. */
export interface ConnectRequest {
  /** The query string signed by the server, sent back unchanged. */
  readonly signed: string;
  readonly clientId: string;
  /** Host or app scheme of the redirect URI. */
  readonly redirectTarget: string;
  readonly isOnThisDevice: boolean;
  /** Whether the application requests offline access. */
  readonly isPersistent: boolean;
}

/** Parses the signed query; null when it is invalid. */
export function readConnectRequest(signed: string | undefined): ConnectRequest | null {
  const query = new URLSearchParams(signed ?? '');
  const [clientId, redirect] = [query.get('client_id'), URL.parse(query.get('redirect_uri') ?? '')];
  if (!signed || !clientId || !redirect) return null;
  const isWeb = redirect.protocol === 'https:' || redirect.protocol === 'http:';
  return {
    signed,
    clientId,
    redirectTarget: isWeb ? redirect.host : redirect.protocol,
    isOnThisDevice: !isWeb || ['localhost', '127.0.0.1', '[::1]'].includes(redirect.hostname),
    isPersistent: (query.get('scope') ?? '').split(' ').includes('offline_access'),
  };
}

export function readConnectDetails(clientId: string): Promise<ConnectDetails> {
  return authRequest<ConnectDetails>(`oauth2/application?${new URLSearchParams({ client_id: clientId })}`);
}

/** Accepts or denies a request; returns the redirect URL. */
export async function respondToRequest(request: ConnectRequest, accept: boolean): Promise<string> {
  return (await authRequest<{ url: string }>('oauth2/consent', { accept, oauth_query: request.signed })).url;
}

export async function readConnections(): Promise<readonly Connection[]> {
  return (await authRequest<{ connections: Connection[] }>('oauth2/connections')).connections;
}

export async function disconnectApplication(clientId: string): Promise<void> {
  await authRequest('oauth2/disconnect', { clientId });
}
