import { authRequest } from '../../lib/session.ts';

/** What an application says of itself; nobody has verified it. */
export interface Application {
  readonly clientId: string;
  readonly name: string;
  readonly uri: string | null;
}

/** What an application would get if it were allowed now. */
export interface ConnectDetails {
  readonly application: Application;
  readonly username: string;
  readonly access:
    | { readonly eligible: true }
    | { readonly eligible: false; readonly reason: string; readonly howToBecomeEligible: string };
  readonly permissions: readonly { readonly name: string; readonly allows: string }[];
}

/** An application that can act for the account. */
export interface Connection extends Application {
  readonly connectedAt: string;
  readonly lastUsedAt: string;
}

/** A request to connect, as the address of the page holds it. */
export interface ConnectRequest {
  /** The query that the server signed; it goes back as it came. */
  readonly signed: string;
  readonly clientId: string;
  /** Where the browser goes afterwards: the host, or the scheme of an application on the device. */
  readonly redirectTarget: string;
  readonly isOnThisDevice: boolean;
  /** Whether the application asks to stay connected. */
  readonly isPersistent: boolean;
}

/** Reads the signed query; null when it is none. */
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

/** Answers a request; returns where the application wants the browser to be. */
export async function respondToRequest(request: ConnectRequest, accept: boolean): Promise<string> {
  return (await authRequest<{ url: string }>('oauth2/consent', { accept, oauth_query: request.signed })).url;
}

export async function readConnections(): Promise<readonly Connection[]> {
  return (await authRequest<{ connections: Connection[] }>('oauth2/connections')).connections;
}

export async function disconnectApplication(clientId: string): Promise<void> {
  await authRequest('oauth2/disconnect', { clientId });
}
