import type { RowScope } from '../../../gql/index.ts';

/**
 * The current state: EXPIRED once its time has passed, without a write. The SQL equivalent of stateAt in
 * subscription.policy.ts. `row` has plan, state and access_until.
 */
export function stateNow(s: RowScope, row: string): string {
  const now = s.param((env) => env.nowIso, 'timestamptz');
  return `case when ${row}.plan <> 'FREE' and ${row}.access_until <= ${now} then 'EXPIRED' else ${row}.state end`;
}

/** SQL: until when access continues after a failed payment; null otherwise. */
export function graceEnd(row: string): string {
  return `case ${row}.state when 'PAST_DUE' then ${row}.access_until end`;
}
