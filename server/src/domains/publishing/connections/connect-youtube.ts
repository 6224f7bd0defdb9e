import { createHash, randomBytes } from 'node:crypto';
import { AppError } from '../../../kernel/errors.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { ExternalSite } from '../site/external-site.ts';
import { READ_SCOPE, UPLOAD_SCOPE } from '../site/site-addresses.ts';
import { deleteConnection, saveConnection } from './connections.store.ts';
import { insertConsent, takeConsent } from './consents.store.ts';
import type { GoogleOauth } from './google-oauth.ts';
import type { SiteAccesses } from './site-access.ts';

/** Time limit for the consent at Google. */
const CONSENT_MS = 600_000;
const MAX_PARAMETER_LENGTH = 2_048;

export type ConnectTools = Pick<Platform, 'db' | 'clock' | 'secrets' | 'log'> & {
  readonly oauth: GoogleOauth;
  readonly site: ExternalSite;
  readonly accesses: SiteAccesses;
};

/** Result of connecting, shown by the settings page. */
export type ConnectOutcome = 'connected' | 'refused' | 'expired' | 'no-channel' | 'not-enough' | 'failed';

/** The address of Google's consent page; with `upload`, also for uploads. */
export async function beginConnecting(
  tools: ConnectTools,
  accountId: string,
  { upload }: { upload: boolean },
): Promise<string> {
  const { db, clock, secrets, oauth } = tools;
  const [state, verifier] = [randomBytes(32).toString('base64url'), randomBytes(48).toString('base64url')];
  const nowMs = clock.now();
  await db.transaction((tx) =>
    insertConsent(tx, {
      stateHash: hashOf(state),
      accountId,
      sealedVerifier: secrets.seal('youtube-token', verifier),
      nowIso: new Date(nowMs).toISOString(),
      expiresIso: new Date(nowMs + CONSENT_MS).toISOString(),
    }),
  );
  return oauth.authorizeUrl({ state, verifier, scopes: upload ? [READ_SCOPE, UPLOAD_SCOPE] : [READ_SCOPE] });
}

/** Handles Google's redirect. Errors that the user can fix are returned for the page. */
export async function finishConnecting(
  tools: ConnectTools,
  accountId: string,
  query: URLSearchParams,
): Promise<ConnectOutcome> {
  const { db, clock, secrets, oauth } = tools;
  const [state, code] = [query.get('state') ?? '', query.get('code') ?? ''];
  if (state === '' || Math.max(state.length, code.length) > MAX_PARAMETER_LENGTH) return 'expired';
  const sealed = await takeConsent(db, hashOf(state), accountId, new Date(clock.now()).toISOString());
  if (!sealed) return 'expired';
  if (code === '') return 'refused';
  try {
    const tokens = await oauth.exchangeCode(code, secrets.open('youtube-token', sealed));
    if (!tokens) return 'expired';
    // Users can grant some of the scopes only.
    if (tokens.refreshToken === null || !tokens.scopes.includes(READ_SCOPE)) return 'not-enough';
    const channel = await tools.site.readChannel(tokens.accessToken);
    if (!channel) return 'no-channel';
    const sealedRefreshToken = secrets.seal('youtube-token', tokens.refreshToken);
    const connection = { accountId, channel, scopes: tokens.scopes, sealedRefreshToken };
    await saveConnection(db, connection, new Date(clock.now()).toISOString());
    return 'connected';
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    tools.log.warn({ error, cause: error.cause }, 'YouTube could not be connected');
    return 'failed';
  }
}

/** Deletes the connection and revokes it at Google if Google is reachable. False when there was none. */
export async function disconnectYouTube(
  { db, secrets, log, youtube }: Pick<Platform, 'db' | 'secrets' | 'log'> & { readonly youtube: ConnectTools | null },
  accountId: string,
): Promise<boolean> {
  const sealed = await deleteConnection(db, accountId);
  youtube?.accesses.forget(accountId);
  if (!sealed) return false;
  try {
    await youtube?.oauth.revoke(secrets.open('youtube-token', sealed));
  } catch (error) {
    log.info({ error }, 'the connection to YouTube was deleted here, but Google did not confirm the revocation');
  }
  return true;
}

function hashOf(state: string): Buffer {
  return createHash('sha256').update(state).digest();
}
