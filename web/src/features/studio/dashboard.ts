import { notFound } from '@tanstack/react-router';
import { type ChannelRole, type DeskChannelFragment, StudioDesk } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { channelDid, namespace } from '../../lib/did.ts';

/** A channel the visitor works on, and what the visitor is in it. */
export interface Seat {
  readonly channel: DeskChannelFragment;
  readonly role: ChannelRole;
}

/** Where the visitor sits in the studio: the channel the address names, and the others to change to. */
export interface Desk extends Seat {
  readonly username: string;
  /** The channel that came with the account is always there: it can be neither transferred nor deleted. */
  readonly isHome: boolean;
  readonly seats: readonly Seat[];
}

const ROLES: readonly ChannelRole[] = ['VIEWER', 'EDITOR', 'MANAGER', 'OWNER'];

/** Whether someone of this role may do what takes at least the other. */
export function mayAs(role: ChannelRole, least: ChannelRole): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(least);
}

/** The desk for the channel of the address (the end of its DID), for the account's own channel where it names none. Throws notFound for a channel the visitor does not work on. */
export async function openDesk(named: string | undefined): Promise<Desk> {
  const { me } = await api(StudioDesk);
  const seats = me.channels.edges.map(({ node }) => node);
  const wanted = named === undefined ? me.channel.id : channelDid(named, namespace());
  const seat = seats.find(({ channel }) => channel.id === wanted);
  if (!seat) throw notFound();
  return { ...seat, seats, username: me.username, isHome: seat.channel.id === me.channel.id };
}
