import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import { CHANNEL_ROLES, type ChannelRole, PERMISSIONS } from '../../../kernel/permissions.ts';
import { and, decide, fact, not, or, type Policy, permission, state } from '../../../kernel/policy.ts';
import { channelNotFound, otherChannel, roleTooLow, testChannel } from '../channel.policy.ts';

/** A request to add, change or remove a member of a channel. */
export interface MemberChange {
  /** Role of the requester; null for a non-member. */
  readonly actor: ChannelRole | null;
  /** Current role of the target; null for a non-member. */
  readonly subject: ChannelRole | null;
  /** Whether both are the same account. */
  readonly self: boolean;
  /** The new role; null removes the member. */
  readonly to: ChannelRole | null;
  /** Whether it is the test channel of its owner, which has no other members. */
  readonly test: boolean;
}

/** The arguments of the mutations on members, for errors. */
export const MEMBER_ARGUMENTS = { channel: 'id', username: 'input.username', role: 'input.role' } as const;

/** Facts for the policy. */
interface MemberFacts {
  /** The requester is a member, in any role. */
  readonly member: boolean;
  /** The requester's role may manage members. */
  readonly manages: boolean;
  /** A member leaves. */
  readonly leaves: boolean;
  /** The target is the owner. */
  readonly concernsOwner: boolean;
  readonly self: boolean;
  readonly makesOwner: boolean;
  readonly test: boolean;
}

/** Whether the role may manage members. */
export function managesMembers(role: ChannelRole): boolean {
  return CHANNEL_ROLES.indexOf(role) >= CHANNEL_ROLES.indexOf(PERMISSIONS['member:manage'].role);
}

function factsOf({ actor, subject, self, to, test }: MemberChange): MemberFacts {
  return {
    member: actor !== null,
    manages: actor !== null && managesMembers(actor),
    leaves: self && subject !== null && to === null,
    concernsOwner: subject === 'OWNER',
    self,
    makesOwner: to === 'OWNER',
    test,
  };
}

const actorManages = fact<keyof MemberFacts>('manages');
const leaves = fact<keyof MemberFacts>('leaves');
const concernsTheOwner = fact<keyof MemberFacts>('concernsOwner');
const concernsSelf = fact<keyof MemberFacts>('self');
const makesAnOwner = fact<keyof MemberFacts>('makesOwner');
const ofTestChannel = fact<keyof MemberFacts>('test');

/**
 * Who may change the members of a channel.
 *
 * A channel has exactly one owner. Non-members change nothing. Every member may leave, except the owner. Other changes
 * require a manager or the owner. No one adds another owner, changes the owner's role or removes the owner: only
 * transferChannel moves ownership.
 */
export const MEMBER_CHANGE: Policy<MemberFacts> = {
  missing: channelNotFound,
  requires: [
    permission(or(leaves, actorManages), (field, { member }) => (member ? roleTooLow(field) : otherChannel(field))),
    state(not(ofTestChannel), testChannel),
    state(not(makesAnOwner), () => oneOwner(t`A channel has exactly one owner.`, MEMBER_ARGUMENTS.role)),
    state(not(and(concernsTheOwner, concernsSelf)), () =>
      oneOwner(t`The owner cannot leave the channel or take another role.`, MEMBER_ARGUMENTS.username),
    ),
    permission(not(concernsTheOwner), () => notTheOwner(MEMBER_ARGUMENTS.username)),
  ],
};

/** The error for a change; null when it is allowed. */
export function decideMemberChange(change: MemberChange): AppError | null {
  return decide(MEMBER_CHANGE, factsOf(change), MEMBER_ARGUMENTS.channel);
}

function oneOwner(message: string, field: string): AppError {
  return new AppError('INVALID_INPUT', message, {
    field,
    suggestedFix: t`Call transferChannel to make someone else the owner.`,
  });
}

function notTheOwner(field: string): AppError {
  return new AppError('UNAUTHORIZED', t`The owner's role cannot be changed by other members.`, {
    field,
    suggestedFix: t`Choose another member; the owner can transfer the channel with transferChannel.`,
  });
}
