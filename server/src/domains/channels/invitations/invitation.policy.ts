import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import { fact, or, type Policy, permission, state } from '../../../kernel/policy.ts';
import { roleTooLow } from '../channel.policy.ts';

export type InvitationState = 'PENDING' | 'ACCEPTED' | 'DECLINED' | 'WITHDRAWN';

/** An invitation, as the account that answers it sees it. */
export interface AnsweredInvitation {
  /** Whether it is for the account: by its name, by its confirmed address, or by its address and the link. */
  readonly mine: boolean;
  /** Whether it can still be answered. */
  readonly open: boolean;
  /** Whether the account accepted it and is a member. */
  readonly accepted: boolean;
  readonly state: InvitationState;
}

/** Who may accept or decline an invitation: the account it is for; to others it does not exist. */
export const INVITATION_ANSWER: Policy<AnsweredInvitation> = {
  missing: invitationNotFound,
  requires: [
    permission(fact('mine'), invitationNotFound),
    state(or(fact('open'), fact('accepted')), (field, invitation) => ended(field, invitation)),
  ],
};

/** An invitation, as a member of its channel sees it. */
export interface ManagedInvitation {
  readonly member: boolean;
  /** Whether the member's role may manage members. */
  readonly may: boolean;
}

/** Who may withdraw an invitation: managers of the channel; to non-members it does not exist. */
export const INVITATION_WITHDRAWAL: Policy<ManagedInvitation> = {
  missing: invitationNotFound,
  requires: [permission(fact('may'), (field, { member }) => (member ? roleTooLow(field) : invitationNotFound(field)))],
};

export function invitationNotFound(field: string): AppError {
  return new AppError('RESOURCE_NOT_FOUND', t`There is no such invitation.`, {
    field,
    suggestedFix: t`me.channelInvitations lists the invitations to your account; one for an address needs its link.`,
  });
}

const ENDED: Readonly<Record<InvitationState, string>> = {
  PENDING: t`This invitation has expired.`,
  ACCEPTED: t`This invitation was accepted already.`,
  DECLINED: t`This invitation was declined.`,
  WITHDRAWN: t`This invitation was withdrawn.`,
};

function ended(field: string, { state: was }: AnsweredInvitation): AppError {
  return new AppError('INVALID_INPUT', ENDED[was], {
    field,
    suggestedFix: t`Ask a manager of the channel for a new invitation.`,
  });
}
