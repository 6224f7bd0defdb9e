import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import {
  Accounts,
  Invitations,
  MailMessages,
  OperatorActions,
  ServerStatus,
} from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { currentUser } from '../../lib/session.ts';
import { requireSignIn, root } from '../root.tsx';

/** Pages for operators; others are sent to the page where they can become one. */
async function requireOperator({ location }: { location: { href: string } }): Promise<void> {
  await requireSignIn({ location });
  if (!(await currentUser())?.isOperator) throw redirect({ to: '/settings/server' });
}

const overview = createRoute({
  getParentRoute: () => root,
  path: '/admin',
  beforeLoad: requireOperator,
  loader: () => api(ServerStatus),
  gcTime: 0,
  component: lazyRouteComponent(() => import('./overview-page.tsx'), 'AdminOverviewPage'),
});

const accounts = createRoute({
  getParentRoute: () => root,
  path: '/admin/accounts',
  beforeLoad: requireOperator,
  validateSearch: ({ q, suspended }: Record<string, unknown>): { q?: string; suspended?: boolean } => ({
    ...(typeof q === 'string' || typeof q === 'number' ? { q: String(q) } : {}),
    ...(typeof suspended === 'boolean' ? { suspended } : {}),
  }),
  loaderDeps: ({ search }) => search,
  loader: ({ deps: { q, suspended } }) => api(Accounts, { search: q ?? null, suspended: suspended ?? null }),
  gcTime: 0,
  component: lazyRouteComponent(() => import('./accounts-page.tsx'), 'AdminAccountsPage'),
});

const invitations = createRoute({
  getParentRoute: () => root,
  path: '/admin/invitations',
  beforeLoad: requireOperator,
  loader: () => api(Invitations, {}),
  gcTime: 0,
  component: lazyRouteComponent(() => import('./invitations-page.tsx'), 'AdminInvitationsPage'),
});

const mail = createRoute({
  getParentRoute: () => root,
  path: '/admin/mail',
  beforeLoad: requireOperator,
  loader: () => api(MailMessages, {}),
  gcTime: 0,
  component: lazyRouteComponent(() => import('./mail-page.tsx'), 'AdminMailPage'),
});

const log = createRoute({
  getParentRoute: () => root,
  path: '/admin/log',
  beforeLoad: requireOperator,
  loader: () => api(OperatorActions, {}),
  gcTime: 0,
  component: lazyRouteComponent(() => import('./log-page.tsx'), 'AdminLogPage'),
});

/** Routes for operators. */
export const adminRoutes = [overview, accounts, invitations, mail, log] as const;
