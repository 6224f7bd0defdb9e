import { AppError } from '../../../kernel/errors.ts';
import { CHANNEL_ROLES, type ChannelRole, PERMISSIONS } from '../../../kernel/permissions.ts';
import { and, decide, fact, not, or, type Policy, permission, state } from '../../../kernel/policy.ts';
import { channelNotFound, otherChannel, roleTooLow } from '../channel.policy.ts';

/** A wish to add, change or remove a member of a channel. */
export interface MemberChange {
  /** Role of who wishes it; null for a stranger. */
  readonly actor: ChannelRole | null;
  /** Role of whom it is about, before; null for who is no member yet. */
  readonly subject: ChannelRole | null;
  /** Whether both are the same account. */
  readonly self: boolean;
  /** The role to come; null removes. */
  readonly to: ChannelRole | null;
}

/** How the caller spells its arguments, for errors. */
export interface MemberFields {
  readonly channel: string;
  readonly username: string;
  readonly role: string;
}

/** What the policy looks at. */
interface MemberFacts {
  /** Who wishes it works on the channel, in any role. */
  readonly member: boolean;
  /** Their role lets them manage members. */
  readonly manages: boolean;
  /** A member wishes to leave. */
  readonly leaves: boolean;
  /** It is about the owner. */
  readonly concernsOwner: boolean;
  readonly self: boolean;
  readonly makesOwner: boolean;
}

function factsOf({ actor, subject, self, to }: MemberChange): MemberFacts {
  return {
    member: actor !== null,
    manages: actor !== null && CHANNEL_ROLES.indexOf(actor) >= CHANNEL_ROLES.indexOf(PERMISSIONS['member:manage'].role),
    leaves: self && subject !== null && to === null,
    concernsOwner: subject === 'OWNER',
    self,
    makesOwner: to === 'OWNER',
  };
}

const managesMembers = fact<keyof MemberFacts>('manages');
const leaves = fact<keyof MemberFacts>('leaves');
const concernsTheOwner = fact<keyof MemberFacts>('concernsOwner');
const concernsSelf = fact<keyof MemberFacts>('self');
const makesAnOwner = fact<keyof MemberFacts>('makesOwner');

/**
 * Who may change the members of a channel.
 *
 * A channel has exactly one owner. Strangers change nothing. Every member may leave, except the owner. Otherwise it takes a manager or
 * the owner. Nobody makes another owner, changes the owner's role or removes the owner: ownership moves by transferChannel alone.
 */
export function memberChange(fields: MemberFields): Policy<MemberFacts> {
  return {
    missing: channelNotFound,
    requires: [
      permission(or(leaves, managesMembers), (field, { member }) => (member ? roleTooLow(field) : otherChannel(field))),
      state(not(makesAnOwner), () => oneOwner('A channel has exactly one owner.', fields.role)),
      state(not(and(concernsTheOwner, concernsSelf)), () =>
        oneOwner('The owner cannot leave the channel or take another role.', fields.username),
      ),
      permission(not(concernsTheOwner), () => notTheOwner(fields.username)),
    ],
  };
}

/** The error with which `policy` refuses a change; null when it is allowed. */
export function decideMemberChange(policy: Policy<MemberFacts>, change: MemberChange, fields: MemberFields): AppError | null {
  return decide(policy, factsOf(change), fields.channel);
}

function oneOwner(message: string, field: string): AppError {
  return new AppError('INVALID_INPUT', message, { field, suggestedFix: 'Call transferChannel to make someone else the owner.' });
}

function notTheOwner(field: string): AppError {
  return new AppError('UNAUTHORIZED', 'Nobody but the owner changes what the owner is.', {
    field,
    suggestedFix: 'Choose another member; the owner can hand the channel over with transferChannel.',
  });
}
