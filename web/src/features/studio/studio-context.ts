import { notFound } from '@tanstack/react-router';
import {
  type ChannelRole,
  type PlanStateFragment,
  type StudioChannelSummaryFragment,
  StudioContextData,
  type StudioContextDataResult,
} from '../../gql/generated/operations.gen.ts';
import { ApiError, api } from '../../lib/api.ts';
import { channelDid, namespace } from '../../lib/did.ts';

/** A channel that the account is a member of, and its role. */
export interface ChannelMembership {
  readonly channel: StudioChannelSummaryFragment;
  readonly role: ChannelRole;
}

/** The current channel of the studio, and the account's memberships. */
export interface StudioContext extends ChannelMembership {
  readonly username: string;
  /** Of the account. */
  readonly subscription: PlanStateFragment;
  /** Whether it is the account's default channel, which cannot be transferred or deleted. */
  readonly isDefaultChannel: boolean;
  readonly memberships: readonly ChannelMembership[];
}

const ROLES: readonly ChannelRole[] = ['VIEWER', 'EDITOR', 'MANAGER', 'OWNER'];

/** Whether a role includes the rights of another. */
export function hasRole(role: ChannelRole, least: ChannelRole): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(least);
}

let last: StudioContextDataResult | undefined;

/**
 * Loads the context for a channel id, or for the account's own channel. While the server cannot be reached it is the
 * one that was loaded last, so that the navigation stays beside the error of the page. Throws notFound for channels the
 * account is not a member of.
 */
export async function loadStudioContext(named: string | undefined): Promise<StudioContext> {
  last = await api(StudioContextData).catch((error: unknown) => {
    if (last && error instanceof ApiError && error.code === 'SERVICE_UNAVAILABLE') return last;
    throw error;
  });
  const { me } = last;
  const memberships = me.channels.edges.map(({ node }) => node);
  const channelId = named === undefined ? me.channel.id : channelDid(named, namespace());
  const membership = memberships.find(({ channel }) => channel.id === channelId);
  if (!membership) throw notFound();
  return {
    ...membership,
    memberships,
    username: me.username,
    subscription: me.subscription,
    isDefaultChannel: membership.channel.id === me.channel.id,
  };
}
