import { createRoute, redirect } from '@tanstack/react-router';
import { readJobSearch } from '../../features/admin/job-search.ts';
import { lazyFile, lazyPage } from '../../lib/lazy-page.ts';
import { currentUser } from '../../lib/session.ts';
import { requireSignIn, root } from '../root.tsx';

/** Loaded with the first page of operators. */
const loaders = lazyFile(() => import('./admin-loaders.ts'));

/** Pages for operators; others are sent to the page where they can become one. */
async function requireOperator({ location }: { location: { href: string } }): Promise<void> {
  await requireSignIn({ location });
  if (!(await currentUser())?.isOperator) throw redirect({ to: '/settings/server' });
}

const overview = createRoute({
  getParentRoute: () => root,
  path: '/admin',
  beforeLoad: requireOperator,
  loader: async () => (await loaders()).overview(),
  gcTime: 0,
  component: lazyPage(() => import('./overview-page.tsx'), 'AdminOverviewPage'),
});

interface AccountSearch {
  readonly q?: string;
  readonly suspended?: boolean;
  readonly closed?: boolean;
}

const accounts = createRoute({
  getParentRoute: () => root,
  path: '/admin/accounts',
  beforeLoad: requireOperator,
  validateSearch: ({ q, suspended, closed }: Record<string, unknown>): AccountSearch => ({
    ...(typeof q === 'string' || typeof q === 'number' ? { q: String(q) } : {}),
    ...(typeof suspended === 'boolean' ? { suspended } : {}),
    ...(typeof closed === 'boolean' ? { closed } : {}),
  }),
  loaderDeps: ({ search }) => search,
  loader: async ({ deps: { q, suspended, closed } }) =>
    (await loaders()).accounts({ search: q ?? null, suspended: suspended ?? null, closed: closed ?? null }),
  gcTime: 0,
  component: lazyPage(() => import('./accounts-page.tsx'), 'AdminAccountsPage'),
});

const jobs = createRoute({
  getParentRoute: () => root,
  path: '/admin/jobs',
  beforeLoad: requireOperator,
  validateSearch: readJobSearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ deps: { status, purpose } }) =>
    (await loaders()).jobs({ status: status ?? null, purpose: purpose ?? null }),
  gcTime: 0,
  component: lazyPage(() => import('./jobs-page.tsx'), 'AdminJobsPage'),
});

const reports = createRoute({
  getParentRoute: () => root,
  path: '/admin/reports',
  beforeLoad: requireOperator,
  validateSearch: ({ status }: Record<string, unknown>): { status?: 'RESOLVED' | 'DISMISSED' } =>
    status === 'RESOLVED' || status === 'DISMISSED' ? { status } : {},
  loaderDeps: ({ search }) => search,
  loader: async ({ deps: { status } }) => (await loaders()).reports({ status: status ?? 'OPEN' }),
  gcTime: 0,
  component: lazyPage(() => import('./reports-page.tsx'), 'AdminReportsPage'),
});

const storage = createRoute({
  getParentRoute: () => root,
  path: '/admin/storage',
  beforeLoad: requireOperator,
  loader: async () => (await loaders()).storage(),
  gcTime: 0,
  component: lazyPage(() => import('./storage-page.tsx'), 'AdminStoragePage'),
});

const invitations = createRoute({
  getParentRoute: () => root,
  path: '/admin/invitations',
  beforeLoad: requireOperator,
  loader: async () => (await loaders()).invitations(),
  gcTime: 0,
  component: lazyPage(() => import('./invitations-page.tsx'), 'AdminInvitationsPage'),
});

const mail = createRoute({
  getParentRoute: () => root,
  path: '/admin/mail',
  beforeLoad: requireOperator,
  loader: async () => (await loaders()).mail(),
  gcTime: 0,
  component: lazyPage(() => import('./mail-page.tsx'), 'AdminMailPage'),
});

const log = createRoute({
  getParentRoute: () => root,
  path: '/admin/log',
  beforeLoad: requireOperator,
  loader: async () => (await loaders()).log(),
  gcTime: 0,
  component: lazyPage(() => import('./log-page.tsx'), 'AdminLogPage'),
});

const settings = createRoute({
  getParentRoute: () => root,
  path: '/admin/settings',
  beforeLoad: requireOperator,
  loader: async () => (await loaders()).settings(),
  gcTime: 0,
  component: lazyPage(() => import('./server-settings-page.tsx'), 'AdminSettingsPage'),
});

/** Routes for operators. */
export const adminRoutes = [overview, jobs, reports, storage, accounts, invitations, mail, log, settings] as const;
