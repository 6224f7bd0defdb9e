import type { CommandContext } from '../../../gql/index.ts';
import { authorize } from '../../../kernel/policy.ts';
import { lockChannel } from '../members/members.store.ts';
import { requireAccount } from '../require-account.ts';
import { INVITATION_WITHDRAWAL, invitationNotFound } from './invitation.policy.ts';
import { channelOfInvitation, endInvitation, findManaged } from './invitations.store.ts';

/**
 * Withdraws an invitation: its link and its notification stop working. False for one that has ended already.
 * @throws AppError RESOURCE_NOT_FOUND or UNAUTHORIZED for the invitation.
 */
export function withdrawInvitation(context: CommandContext, id: string): Promise<boolean> {
  const { scope } = requireAccount(context);
  return context.services.channels.db.transaction(async (tx) => {
    const channelId = await channelOfInvitation(tx, id);
    if (channelId === null) throw invitationNotFound('id');
    await lockChannel(tx, channelId, scope);
    const invitation = await findManaged(tx, id, scope, context.nowIso);
    authorize(INVITATION_WITHDRAWAL, invitation, 'id');
    if (!invitation.open) return false;
    await endInvitation(tx, id, 'WITHDRAWN', context.nowIso);
    return true;
  });
}
