import { createRoute, redirect } from '@tanstack/react-router';
import type { Outcome } from '../../features/youtube/setup.ts';
import { lazyFile, lazyPage } from '../../lib/lazy-page.ts';
import { currentUser } from '../../lib/session.ts';
import { oneOf } from '../../lib/url.ts';
import { requireSignIn, root } from '../root.tsx';

const OUTCOMES = ['connected', 'refused', 'expired', 'no-channel', 'not-enough', 'failed'] satisfies Outcome[];

/** Loaded with the first page of settings. */
const loaders = lazyFile(() => import('./settings-loaders.ts'));

/** An address that people guess. */
const settings = createRoute({
  getParentRoute: () => root,
  path: '/settings',
  beforeLoad: () => {
    throw redirect({ to: '/settings/account', replace: true });
  },
});

const account = createRoute({
  getParentRoute: () => root,
  path: '/settings/account',
  beforeLoad: requireSignIn,
  // Result of connecting YouTube, after the redirect from Google.
  // `billing`: after the redirect from a payment.
  validateSearch: ({ youtube, billing }: Record<string, unknown>) => ({
    ...oneOf('youtube', youtube, OUTCOMES),
    ...oneOf('billing', billing, ['done']),
  }),
  loader: async () => (await loaders()).account(),
  gcTime: 0,
  component: lazyPage(() => import('./account-settings-page.tsx'), 'AccountSettingsPage'),
});

const security = createRoute({
  getParentRoute: () => root,
  path: '/settings/security',
  beforeLoad: requireSignIn,
  loader: async () => (await loaders()).security(),
  gcTime: 0,
  component: lazyPage(() => import('./security-settings-page.tsx'), 'SecuritySettingsPage'),
});

const server = createRoute({
  getParentRoute: () => root,
  path: '/settings/server',
  beforeLoad: requireSignIn,
  loader: async () => {
    const user = await currentUser();
    if (user?.isOperator) throw redirect({ to: '/admin' });
    return { username: user?.username ?? '' };
  },
  gcTime: 0,
  component: lazyPage(() => import('./server-settings-page.tsx'), 'ServerSettingsPage'),
});

interface ConnectSearch {
  /** The authorization request, signed by the server. */
  readonly request?: string;
  /** Error code, if there is no valid request. */
  readonly error?: string;
  /** The reason, for the author of the application. */
  readonly error_description?: string;
}

const MAX_REASON = 300;

const connect = createRoute({
  getParentRoute: () => root,
  path: '/connect',
  validateSearch: ({ request, error, error_description: reason }: Record<string, unknown>): ConnectSearch => ({
    ...(typeof request === 'string' ? { request } : {}),
    ...(typeof error === 'string' ? { error } : {}),
    ...(typeof reason === 'string' ? { error_description: reason.slice(0, MAX_REASON) } : {}),
  }),
  beforeLoad: ({ search, location }) => (search.request ? requireSignIn({ location }) : undefined),
  loaderDeps: ({ search }) => search,
  loader: async ({ deps }) => {
    const { readConnectDetails, readConnectRequest } = await loaders();
    const request = readConnectRequest(deps.request);
    return request && { request, offer: await readConnectDetails(request.clientId) };
  },
  gcTime: 0,
  component: lazyPage(() => import('../connect-page.tsx'), 'ConnectPage'),
});

/** Routes of account and server settings. */
export const settingsRoutes = [settings, account, security, server, connect] as const;
