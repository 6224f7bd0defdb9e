import type { ArgScope, RowScope } from '../../../gql/index.ts';

/** SQL: whether an account contains the text of the argument in its username, address or display name. */
export function accountMatches(account: string, pattern: string): string {
  return (
    `lower(${account}.username::text || ' ' || ${account}.email::text || ' ' || ${account}.name) ` +
    `like '%' || regexp_replace(lower(${pattern}), '([%_\\\\])', '\\\\\\1', 'g') || '%'`
  );
}

/** SQL: the accounts that an operator asked for; none for others. */
export function administered(account: string, s: RowScope, args: ArgScope): string {
  const conditions = [`${s.viewer}.is_operator`];
  if (args.given('search')) conditions.push(accountMatches(account, args.param('search', 'text')));
  if (args.given('suspended'))
    conditions.push(`(${account}.suspended_at is not null) = ${args.param('suspended', 'boolean')}`);
  if (args.given('closed')) conditions.push(`(${account}.closed_at is not null) = ${args.param('closed', 'boolean')}`);
  return conditions.join(' and ');
}

/** SQL: when a browser in which the account is signed in was last active, to the day. */
export function lastActiveAt(account: string): string {
  return `(select max(e.updated_at) from sessions e where e.account_id = ${account}.id)`;
}
