import type { SecretPurpose } from '../config/secret-key.ts';

/** Columns of the primary key of a table, with their types. */
type Key = Readonly<Record<string, 'uuid' | 'text' | 'bytea'>>;

/** A column with texts that SECRET_KEY encrypts. */
export interface EncryptedColumn {
  readonly table: string;
  readonly column: string;
  readonly key: Key;
  /** What it is sealed for; `sign-in`: encrypted by the sign-in library. */
  readonly cipher: SecretPurpose | 'sign-in';
  /** The HMAC of the same text by which rows are found. */
  readonly hash?: keyof typeof HASH_COLUMNS;
}

/** A column with HMACs under SECRET_KEY, by which rows are found. */
interface HashColumn {
  readonly table: string;
  readonly column: string;
  readonly purpose: SecretPurpose;
  readonly type: 'bytea' | 'text';
  /**
   * What people call the rows, and SQL: those whose HMAC may still be that of an earlier key. `since` is the instant
   * since which all processes have the current key, `present` the present one. None where the HMAC is made again from
   * an encrypted column, or where little is lost with it.
   */
  readonly left?: { readonly what: string; readonly where: string };
}

const LINK = 'created_at < since and expires_at > present';

/**
 * All columns of the database that depend on SECRET_KEY are in the two tables of this file. Rotation goes through them,
 * and a test compares them with the schema: a new column must be listed here, or there as one without secrets.
 */
export const HASH_COLUMNS = {
  apiKeys: { table: 'api_keys', column: 'lookup_hash', purpose: 'api-key-lookup', type: 'bytea' },
  streamKeys: { table: 'live_inputs', column: 'stream_key_hash', purpose: 'stream-key-lookup', type: 'bytea' },
  tokens: {
    ...{ table: 'api_tokens', column: 'lookup_hash', purpose: 'token-lookup', type: 'bytea' },
    left: {
      what: 'API tokens that were not used since',
      where: 'created_at < since and coalesce(last_used_at < since, true) and coalesce(expires_at > present, true)',
    },
  },
  accessTokens: {
    ...{ table: 'oauth_access_tokens', column: 'token', purpose: 'oauth-token', type: 'text' },
    left: { what: 'access tokens of applications', where: `${LINK} and revoked is null` },
  },
  refreshTokens: {
    ...{ table: 'oauth_refresh_tokens', column: 'token', purpose: 'oauth-token', type: 'text' },
    left: { what: 'applications that were not used since', where: `${LINK} and revoked is null` },
  },
  authorizationCodes: { table: 'verifications', column: 'identifier', purpose: 'oauth-token', type: 'text' },
  invitations: {
    ...{ table: 'invitations', column: 'code_hash', purpose: 'invitation', type: 'bytea' },
    left: { what: 'open invitations', where: `${LINK} and used_at is null and revoked_at is null` },
  },
  operatorCodes: { table: 'operator_codes', column: 'code_hash', purpose: 'operator-code', type: 'bytea' },
  passwordResets: {
    ...{ table: 'password_resets', column: 'token_hash', purpose: 'password-reset', type: 'bytea' },
    left: { what: 'links that reset a password', where: LINK },
  },
  emailConfirmations: {
    ...{ table: 'email_confirmations', column: 'token_hash', purpose: 'email-confirmation', type: 'bytea' },
    left: { what: 'links that confirm an address', where: LINK },
  },
  pendingSignUps: {
    ...{ table: 'pending_sign_ups', column: 'token_hash', purpose: 'sign-up', type: 'bytea' },
    left: { what: 'links that complete a sign-up', where: LINK },
  },
  knownBrowsers: { table: 'known_browsers', column: 'browser_hash', purpose: 'known-browser', type: 'bytea' },
} as const satisfies Readonly<Record<string, HashColumn>>;

export type HashColumnName = keyof typeof HASH_COLUMNS;

const ID = { id: 'uuid' } as const;

export const ENCRYPTED_COLUMNS: readonly EncryptedColumn[] = [
  {
    ...{ table: 'api_keys', column: 'sealed', key: { account_id: 'uuid' }, cipher: 'api-key-seal' },
    hash: 'apiKeys',
  },
  { table: 'live_inputs', column: 'stream_key', key: ID, cipher: 'stream-key', hash: 'streamKeys' },
  { table: 'live_inputs', column: 'srt_passphrase', key: ID, cipher: 'srt-passphrase' },
  { table: 'simulcast_targets', column: 'stream_key', key: ID, cipher: 'simulcast-key' },
  { table: 'webhooks', column: 'secret', key: ID, cipher: 'webhook-secret' },
  { table: 'webhooks', column: 'previous_secret', key: ID, cipher: 'webhook-secret' },
  {
    ...{ table: 'youtube_connections', column: 'sealed_refresh_token' },
    ...{ key: { account_id: 'uuid' }, cipher: 'youtube-token' },
  },
  { table: 'youtube_consents', column: 'sealed_verifier', key: { state_hash: 'bytea' }, cipher: 'youtube-token' },
  { table: 'youtube_publish_jobs', column: 'sealed_session_url', key: ID, cipher: 'youtube-upload' },
  {
    ...{ table: 'idempotency_keys', column: 'response' },
    ...{ key: { account_id: 'uuid', key: 'text' }, cipher: 'idempotent-response' },
  },
  { table: 'oidc_sessions', column: 'sealed_tokens', key: { session_id: 'uuid' }, cipher: 'oidc-tokens' },
  { table: 'two_factors', column: 'secret', key: ID, cipher: 'sign-in' },
  { table: 'two_factors', column: 'backup_codes', key: ID, cipher: 'sign-in' },
  { table: 'oauth_clients', column: 'client_secret', key: ID, cipher: 'sign-in' },
  { table: 'oauth_refresh_tokens', column: 'rotation_replay_response', key: ID, cipher: 'sign-in' },
];
