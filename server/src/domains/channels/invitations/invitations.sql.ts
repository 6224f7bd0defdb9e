import { type Caller, tokenAllows } from '../members/membership.sql.ts';

/** SQL: whether the invitation can still be answered at `now`. */
export function isOpenInvitation(row: string, now: string): string {
  return `${row}.state = 'PENDING' and ${row}.expires_at > ${now}`;
}

/**
 * SQL: whether the invitation is for the viewer: by account, or by an address that the viewer confirmed. A token
 * that is limited to channels sees none to others.
 */
export function isInvited(row: string, s: Caller): string {
  return (
    `(${row}.account_id = ${s.viewer}.account_id or ${row}.email = ` +
    `(select a.email from accounts a where a.id = ${s.viewer}.account_id and a.email_verified))` +
    tokenAllows(s, null, row)
  );
}

/** SQL: as {@link isInvited}, also by an address that is not confirmed, for who has the link that was sent to it. */
export function isInvitedByLink(row: string, s: Caller): string {
  return (
    `(${row}.account_id = ${s.viewer}.account_id or ${row}.email = ` +
    `(select a.email from accounts a where a.id = ${s.viewer}.account_id))${tokenAllows(s, null, row)}`
  );
}
