import { notFound } from '@tanstack/react-router';
import { readConnections } from '../../features/connect/connections.ts';
import type { DeveloperChannel } from '../../features/developer/channel-select.tsx';
import {
  DeveloperChannels,
  DeveloperPage,
  DeveloperTokens,
  KeyUsage,
  Webhooks,
} from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { channelDid, namespace } from '../../lib/did.ts';

/** What the pages of Developer Settings load; loaded with the first of them. */

/** The channels the account is a member of, and the one that the URL names. Throws notFound for any other. */
export async function membership(
  named: string | undefined,
): Promise<{ memberships: readonly DeveloperChannel[]; membership: DeveloperChannel }> {
  const { me } = await api(DeveloperChannels);
  const memberships = me.channels.edges.map(({ node }) => node);
  const channelId = named === undefined ? me.channel.id : channelDid(named, namespace());
  const membership = memberships.find(({ channel }) => channel.id === channelId);
  if (!membership) throw notFound();
  return { memberships, membership };
}

export async function access() {
  const [page, usage, connections, held, { me }] = await Promise.all([
    api(DeveloperPage, {}),
    api(KeyUsage, {}),
    readConnections(),
    api(DeveloperTokens),
    api(DeveloperChannels),
  ]);
  const tokens = {
    first: held.tokens.edges.map(({ node }) => node),
    permissions: held.developerSettings.tokenPermissions,
    memberships: me.channels.edges.map(({ node }) => node),
  };
  return { ...page.developerSettings, usage: usage.developerSettings, connections, tokens };
}

export async function webhooks(named: string | undefined) {
  const selection = await membership(named);
  const manages = selection.membership.role === 'OWNER' || selection.membership.role === 'MANAGER';
  const list = manages ? (await api(Webhooks, { channel: selection.membership.channel.id })).webhooks : null;
  return { ...selection, webhooks: list?.edges.map(({ node }) => node) ?? null };
}
