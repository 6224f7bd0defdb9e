import { createRoute, lazyRouteComponent, notFound } from '@tanstack/react-router';
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
import { requireSignIn, root } from '../root.tsx';

/** `channel`: id of the channel; the account's own by default. */
interface ChannelSearch {
  readonly channel?: string;
}

const channelScoped = {
  validateSearch: (search: Record<string, unknown>): ChannelSearch =>
    typeof search.channel === 'string' ? { channel: search.channel } : {},
  loaderDeps: ({ search }: { search: ChannelSearch }) => ({ channel: search.channel }),
  beforeLoad: requireSignIn,
  gcTime: 0,
};

/** The channels the account is a member of, and the one that the URL names. Throws notFound for any other. */
async function loadMembership(
  named: string | undefined,
): Promise<{ memberships: readonly DeveloperChannel[]; membership: DeveloperChannel }> {
  const { me } = await api(DeveloperChannels);
  const memberships = me.channels.edges.map(({ node }) => node);
  const channelId = named === undefined ? me.channel.id : channelDid(named, namespace());
  const membership = memberships.find(({ channel }) => channel.id === channelId);
  if (!membership) throw notFound();
  return { memberships, membership };
}

const access = createRoute({
  getParentRoute: () => root,
  path: '/settings/developer',
  beforeLoad: requireSignIn,
  loader: async () => {
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
  },
  gcTime: 0,
  component: lazyRouteComponent(() => import('./developer-page.tsx'), 'DeveloperPage'),
});

const webhooks = createRoute({
  getParentRoute: () => root,
  path: '/settings/developer/webhooks',
  ...channelScoped,
  loader: async ({ deps }) => {
    const selection = await loadMembership(deps.channel);
    const manages = selection.membership.role === 'OWNER' || selection.membership.role === 'MANAGER';
    const list = manages ? (await api(Webhooks, { channel: selection.membership.channel.id })).webhooks : null;
    return { ...selection, webhooks: list?.edges.map(({ node }) => node) ?? null };
  },
  component: lazyRouteComponent(() => import('./webhooks-page.tsx'), 'WebhooksPage'),
});

const events = createRoute({
  getParentRoute: () => root,
  path: '/settings/developer/events',
  ...channelScoped,
  loader: ({ deps }) => loadMembership(deps.channel),
  component: lazyRouteComponent(() => import('./events-page.tsx'), 'EventsPage'),
});

/** Developer Settings: API access, webhooks, events. */
export const developerRoutes = [access, webhooks, events] as const;
