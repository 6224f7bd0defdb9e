import { notFound } from '@tanstack/react-router';
import { type ChannelRole, type StudioChannelSummaryFragment, StudioContextData } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { channelDid, namespace } from '../../lib/did.ts';

/** A channel the visitor works on, and what the visitor is in it. */
export interface ChannelMembership {
  readonly channel: StudioChannelSummaryFragment;
  readonly role: ChannelRole;
}

/** Where the visitor sits in the studio: the channel the address names, and the others to change to. */
export interface StudioContext extends ChannelMembership {
  readonly username: string;
  /** The channel that came with the account is always there: it can be neither transferred nor deleted. */
  readonly isDefaultChannel: boolean;
  readonly memberships: readonly ChannelMembership[];
}

const ROLES: readonly ChannelRole[] = ['VIEWER', 'EDITOR', 'MANAGER', 'OWNER'];

/** Whether someone of this role may do what takes at least the other. */
export function hasRole(role: ChannelRole, least: ChannelRole): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(least);
}

/** The studio for the channel of the address (the end of its DID), for the account's own channel where it names none. Throws notFound for a channel the visitor does not work on. */
export async function loadStudioContext(named: string | undefined): Promise<StudioContext> {
  const { me } = await api(StudioContextData);
  const memberships = me.channels.edges.map(({ node }) => node);
  const wanted = named === undefined ? me.channel.id : channelDid(named, namespace());
  const membership = memberships.find(({ channel }) => channel.id === wanted);
  if (!membership) throw notFound();
  return { ...membership, memberships, username: me.username, isDefaultChannel: membership.channel.id === me.channel.id };
}
