import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { SiteAccess } from '../site/external-site.ts';
import { UPLOAD_SCOPE } from '../site/site-addresses.ts';
import { findConnection, markBroken, type StoredConnection } from './connections.store.ts';
import type { GoogleOauth } from './google-oauth.ts';

/** Tokens are not used in their last minute. */
const SPARE_MS = 60_000;

interface HeldToken {
  readonly token: string;
  readonly goodUntilMs: number;
  /** Of its connection; a new connection invalidates it. */
  readonly sealed: Buffer;
}

export type SiteAccessTools = Pick<Platform, 'db' | 'clock' | 'secrets'> & {
  readonly oauth: GoogleOauth;
  /** The page for connecting. */
  readonly settingsUrl: string;
};

/**
 * Access of accounts to their channels on the site. Access tokens are cached in memory only, until shortly before they
 * expire.
 */
export class SiteAccesses {
  readonly #tools: SiteAccessTools;
  readonly #held = new Map<string, HeldToken>();
  readonly #fetching = new Map<string, Promise<string>>();

  constructor(tools: SiteAccessTools) {
    this.#tools = tools;
  }

  /** Access of an account to its channel. Throws UNAUTHORIZED without a valid connection. */
  async of(accountId: string): Promise<SiteAccess> {
    const connection = await findConnection(this.#tools.db, accountId);
    if (!connection) throw this.#refusal(t`No YouTube channel is connected to this account.`);
    if (connection.isBroken) throw this.#withdrawn();
    return {
      accountId,
      channelId: connection.channelId,
      uploadsPlaylistId: connection.uploadsPlaylistId,
      hasUploadScope: connection.scopes.includes(UPLOAD_SCOPE),
      token: (refused) => this.#token(connection, refused),
    };
  }

  /** Caches a token that came with the connection. */
  forget(accountId: string): void {
    this.#held.delete(accountId);
  }

  #token(connection: StoredConnection, refused: string | undefined): Promise<string> {
    const { accountId, sealedRefreshToken } = connection;
    const held = this.#held.get(accountId);
    if (
      held?.sealed.equals(sealedRefreshToken) &&
      held.token !== refused &&
      held.goodUntilMs > this.#tools.clock.now()
    ) {
      return Promise.resolve(held.token);
    }
    // Concurrent requests share one token request.
    const key = `${accountId} ${sealedRefreshToken.toString('base64')}`;
    const fetching = this.#fetching.get(key) ?? this.#fetch(connection).finally(() => this.#fetching.delete(key));
    this.#fetching.set(key, fetching);
    return fetching;
  }

  async #fetch(connection: StoredConnection): Promise<string> {
    const { db, clock, secrets, oauth } = this.#tools;
    const tokens = await oauth.refresh(secrets.open('youtube-token', connection.sealedRefreshToken));
    const nowMs = clock.now();
    if (!tokens) {
      this.#held.delete(connection.accountId);
      await markBroken(db, connection, new Date(nowMs).toISOString());
      throw this.#withdrawn();
    }
    for (const [accountId, { goodUntilMs }] of this.#held) if (goodUntilMs <= nowMs) this.#held.delete(accountId);
    this.#held.set(connection.accountId, {
      token: tokens.accessToken,
      goodUntilMs: nowMs + tokens.expiresInSeconds * 1_000 - SPARE_MS,
      sealed: connection.sealedRefreshToken,
    });
    return tokens.accessToken;
  }

  #withdrawn(): AppError {
    return this.#refusal(t`The connection to YouTube was revoked.`);
  }

  #refusal(message: string): AppError {
    return new AppError('UNAUTHORIZED', message, {
      suggestedFix: t`Connect YouTube at ${this.#tools.settingsUrl}, signed in to this account.`,
    });
  }
}
