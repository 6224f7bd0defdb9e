/** Columns every form of the viewer has. state is the one last written; access_until decides. */
const COLUMNS = `a.id as account_id, a.primary_channel_id as channel_id, a.username, a.email, s.plan, s.state, s.access_until`;
const ACCOUNT = 'join accounts a on a.id = c.account_id join subscriptions s on s.account_id = a.id';

/**
 * SQL of the `viewer` CTE by kind of credential; $1 is the credential's value. No row means that the credential is
 * unknown, replaced or expired. The planner puts these into the statement that reads, so that checking the key costs
 * no round trip and a replaced key is refused by the very next statement on every instance.
 */
export const viewerSource = {
  /** $1: HMAC of the key (bytea). */
  key: `select ${COLUMNS} from api_keys c ${ACCOUNT} where c.lookup_hash = $1`,
  /** $1: session token (text). The library that makes sessions uses the system's time, so this does as well. */
  session: `select ${COLUMNS} from sessions c ${ACCOUNT} where c.token = $1 and c.expires_at > now()`,
  /** One row of nulls. $1 is null and typed, so that parameters are numbered alike for all kinds. */
  anonymous: `select null::uuid as account_id, null::uuid as channel_id, null::citext as username, null::citext as email,
    null::text as plan, null::text as state, null::timestamptz as access_until where $1::text is null`,
} as const;
