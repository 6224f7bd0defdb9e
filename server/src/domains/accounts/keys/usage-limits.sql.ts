import { USAGE_LIMIT_FIELDS } from './usage-limit-fields.ts';

const columns = Object.values(USAGE_LIMIT_FIELDS).map(({ column }) => `l.${column}`);

/** SQL: the usage limits of every account. One that never set any has none, and revision 0. */
export const USAGE_LIMITS =
  `(select s.account_id, ${columns.join(', ')}, coalesce(l.revision, 0) as revision ` +
  'from subscriptions s left join api_key_usage_limits l using (account_id))';
