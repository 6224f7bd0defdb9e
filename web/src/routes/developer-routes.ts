import { createRoute, lazyRouteComponent, notFound } from '@tanstack/react-router';
import { readConnections } from '../features/connect/connections.ts';
import type { Seat } from '../features/developer/channel-choice.tsx';
import { DeveloperChannels, DeveloperPage, KeyGuardrails, Webhooks } from '../gql/generated/operations.gen.ts';
import { api } from '../lib/api.ts';
import { channelDid, namespace } from '../lib/did.ts';
import { root, signedIn } from './root.tsx';

/** The channel a page is about: the end of its DID; the account's own when left out. */
interface ChannelSearch {
  readonly channel?: string;
}

const ofChannel = {
  validateSearch: (search: Record<string, unknown>): ChannelSearch =>
    typeof search.channel === 'string' ? { channel: search.channel } : {},
  loaderDeps: ({ search }: { search: ChannelSearch }) => ({ channel: search.channel }),
  beforeLoad: signedIn,
  gcTime: 0,
};

/** The channels the visitor works on, and the one the address names. Throws notFound for any other. */
async function seatOf(named: string | undefined): Promise<{ seats: readonly Seat[]; seat: Seat }> {
  const { me } = await api(DeveloperChannels);
  const seats = me.channels.edges.map(({ node }) => node);
  const wanted = named === undefined ? me.channel.id : channelDid(named, namespace());
  const seat = seats.find(({ channel }) => channel.id === wanted);
  if (!seat) throw notFound();
  return { seats, seat };
}

const access = createRoute({
  getParentRoute: () => root,
  path: '/settings/developer',
  beforeLoad: signedIn,
  loader: async () => {
    const [page, guardrails, connections] = await Promise.all([api(DeveloperPage, {}), api(KeyGuardrails, {}), readConnections()]);
    return { ...page.developerSettings, guardrails: guardrails.developerSettings, connections };
  },
  gcTime: 0,
  component: lazyRouteComponent(() => import('./developer-page.tsx'), 'DeveloperPage'),
});

const webhooks = createRoute({
  getParentRoute: () => root,
  path: '/settings/developer/webhooks',
  ...ofChannel,
  loader: async ({ deps }) => {
    const desk = await seatOf(deps.channel);
    const manages = desk.seat.role === 'OWNER' || desk.seat.role === 'MANAGER';
    const list = manages ? (await api(Webhooks, { channel: desk.seat.channel.id })).webhooks : null;
    return { ...desk, webhooks: list?.edges.map(({ node }) => node) ?? null };
  },
  component: lazyRouteComponent(() => import('./webhooks-page.tsx'), 'WebhooksPage'),
});

const events = createRoute({
  getParentRoute: () => root,
  path: '/settings/developer/events',
  ...ofChannel,
  loader: ({ deps }) => seatOf(deps.channel),
  component: lazyRouteComponent(() => import('./events-page.tsx'), 'EventsPage'),
});

/** Developer Settings: access and key, webhooks, events. */
export const developerRoutes = [access, webhooks, events] as const;
