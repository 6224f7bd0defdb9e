import { type RowScope, tokenHas, type ViewerSource } from '../../gql/index.ts';

/**
 * Columns of every kind of viewer; email is for this domain's own fields, key_limited for mutations that count against
 * usage limits. state is the stored one; access_until decides.
 */
const ACCOUNT_COLUMNS = 'a.username, a.email, s.plan, s.state, s.access_until, s.key_limited';
const COLUMNS = `a.id as account_id, a.primary_channel_id as channel_id, ${ACCOUNT_COLUMNS}`;
/** A token that is not for the account's own channel acts for the first of its channels; roles are checked there. */
const TOKEN_COLUMNS = `a.id as account_id, case when c.channel_ids is null or a.primary_channel_id = any(c.channel_ids)
    then a.primary_channel_id else c.channel_ids[1] end as channel_id, ${ACCOUNT_COLUMNS}, c.id as token_id,
    c.name as token_name, c.permissions as token_permissions, c.channel_ids as token_channels,
    c.is_test as token_is_test`;
/** Operator rights never apply to a key, which may leak. */
const OPERATOR = 'a.is_operator';
const NO_OPERATOR = 'false as is_operator';
/** An account that is suspended or closed has no viewer row. */
const ACCOUNT = `join accounts a on a.id = c.account_id and a.suspended_at is null and a.closed_at is null
  join subscriptions s on s.account_id = a.id`;

/**
 * SQL of the `viewer` rows by kind of credential; $1 is the credential's value, $2 the present instant. No row means
 * that the credential is unknown, replaced, revoked or expired. The planner adds these to the reading statement, so
 * that the key check needs no round trip and every instance refuses a replaced key from the next statement on.
 */
export const viewerSource: ViewerSource = {
  /** $1: HMAC of the key (bytea). */
  key: `select ${COLUMNS}, ${NO_OPERATOR} from api_keys c ${ACCOUNT} where c.lookup_hash = $1`,
  /** $1: HMAC of the token (bytea). */
  token: `select ${TOKEN_COLUMNS}, ${NO_OPERATOR} from api_tokens c ${ACCOUNT}
    where c.lookup_hash = $1 and (c.expires_at is null or c.expires_at > $2)`,
  /**
   * $1: hash of an access token (text), which shows that it was issued for this platform's resource. It is invalid
   * unless the account still allows the application: a token exchanged while access is revoked may still be written.
   */
  oauth: `select ${COLUMNS}, ${NO_OPERATOR} from oauth_access_tokens c ${ACCOUNT}
    where c.token = $1 and c.expires_at > $2 and c.revoked is null and c.scopes @> '["mcp:tools"]'
      and exists (select from oauth_consents o where o.account_id = c.account_id and o.client_id = c.client_id)`,
  /** $1: session token (text). */
  session: `select ${COLUMNS}, ${OPERATOR} from sessions c ${ACCOUNT} where c.token = $1 and c.expires_at > $2`,
  anonymous: `select null::uuid as account_id, null::uuid as channel_id, null::citext as username,
    null::citext as email,
    null::text as plan, null::text as state, null::timestamptz as access_until, false as key_limited, ${NO_OPERATOR}`,
};

/** SQL: whether a row with an `account_id` is the viewer's own, and its credential may read the account. */
export function isOwn(row: string, s: Pick<RowScope, 'viewer' | 'credential'>): string {
  const own = `${row}.account_id = ${s.viewer}.account_id`;
  return s.credential === 'token' ? `(${own} and ${tokenHas(s.viewer, 'account:read')})` : own;
}
