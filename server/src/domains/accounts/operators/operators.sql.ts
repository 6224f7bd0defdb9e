import type { RowScope } from '../../../gql/index.ts';

/** SQL: whether the server has no operator yet. */
export const NO_OPERATOR = 'not exists (select from accounts o where o.is_operator)';

/** SQL: the state of an invitation. */
export function invitationState(invitation: string, s: RowScope): string {
  return `case when ${invitation}.used_at is not null then 'USED'
    when ${invitation}.revoked_at is not null then 'REVOKED'
    when ${invitation}.expires_at <= ${s.param((env) => env.nowIso, 'timestamptz')} then 'EXPIRED' else 'OPEN' end`;
}

/** SQL: the username of the account with this id. */
export function usernameOf(accountId: string): string {
  return `(select o.username from accounts o where o.id = ${accountId})`;
}

/** SQL: the username of the account that was created with the invitation with this id. */
export function usernameOfInvited(invitationId: string): string {
  return `(select o.username from accounts o where o.invitation_id = ${invitationId})`;
}
