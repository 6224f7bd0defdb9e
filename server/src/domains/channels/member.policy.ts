import { AppError } from '../../kernel/errors.ts';
import { CHANNEL_ROLES, type ChannelRole, PERMISSIONS } from '../../kernel/permissions.ts';
import { judgeChannelChange, roleTooLow } from './channel.policy.ts';

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

const isStranger = ({ actor }: MemberChange): boolean => actor === null;
const leaves = ({ self, subject, to }: MemberChange): boolean => self && subject !== null && to === null;
const concernsTheOwner = ({ subject }: MemberChange): boolean => subject === 'OWNER';
const makesAnOwner = ({ to }: MemberChange): boolean => to === 'OWNER';
const managesMembers = ({ actor }: MemberChange): boolean =>
  actor !== null && CHANNEL_ROLES.indexOf(actor) >= CHANNEL_ROLES.indexOf(PERMISSIONS['member:manage'].role);

/**
 * Who may change the members of a channel; null when the change is allowed.
 *
 * A channel has exactly one owner. Strangers change nothing. Every member may leave, except the owner. Otherwise it takes a manager or
 * the owner. Nobody makes another owner, changes the owner's role or removes the owner: ownership moves by transferChannel alone.
 */
export function judgeMemberChange(change: MemberChange, fields: MemberFields): AppError | null {
  if (isStranger(change)) return judgeChannelChange({ member: false, may: false }, fields.channel);
  if (leaves(change) && !concernsTheOwner(change)) return null;
  if (!managesMembers(change)) return roleTooLow(fields.channel);
  if (makesAnOwner(change)) return oneOwner('A channel has exactly one owner.', fields.role);
  if (concernsTheOwner(change))
    return change.self
      ? oneOwner('The owner cannot leave the channel or take another role.', fields.username)
      : notTheOwner(fields.username);
  return null;
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
