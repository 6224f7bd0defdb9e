import { OPEN_STATES } from '../broadcasts/broadcast-states.ts';

/** SQL: milliseconds of broadcasts of the account in the month of the instant (both given as SQL). */
export function broadcastMsOf(accountId: string, at: string): string {
  return `counter_value('broadcast-minutes:' || to_char(${at} at time zone 'UTC', 'YYYY-MM'), ${accountId})`;
}

/** SQL: broadcasts that the channels of the account given as SQL receive, or wait for. */
export function openBroadcastsOf(accountId: string): string {
  return (
    `(select count(*) from channels o join broadcasts b on b.channel_id = o.id ` +
    `where o.account_id = ${accountId} and b.state in ${OPEN_STATES})`
  );
}
