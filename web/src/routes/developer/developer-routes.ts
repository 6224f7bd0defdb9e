import { createRoute } from '@tanstack/react-router';
import { lazyFile, lazyPage } from '../../lib/lazy-page.ts';
import { requireSignIn, root } from '../root.tsx';

/** Loaded with the first page of Developer Settings. */
const loaders = lazyFile(() => import('./developer-loaders.ts'));

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

const access = createRoute({
  getParentRoute: () => root,
  path: '/settings/developer',
  beforeLoad: requireSignIn,
  loader: async () => (await loaders()).access(),
  gcTime: 0,
  component: lazyPage(() => import('./developer-page.tsx'), 'DeveloperPage'),
});

const webhooks = createRoute({
  getParentRoute: () => root,
  path: '/settings/developer/webhooks',
  ...channelScoped,
  loader: async ({ deps }) => (await loaders()).webhooks(deps.channel),
  component: lazyPage(() => import('./webhooks-page.tsx'), 'WebhooksPage'),
});

const events = createRoute({
  getParentRoute: () => root,
  path: '/settings/developer/events',
  ...channelScoped,
  loader: async ({ deps }) => (await loaders()).membership(deps.channel),
  component: lazyPage(() => import('./events-page.tsx'), 'EventsPage'),
});

/** Developer Settings: API access, webhooks, events. */
export const developerRoutes = [access, webhooks, events] as const;
