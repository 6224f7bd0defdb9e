import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { AccountSettings } from '../gql/generated/operations.gen.ts';
import { api } from '../lib/api.ts';
import { root, signedIn } from './root.tsx';

const account = createRoute({
  getParentRoute: () => root,
  path: '/settings/account',
  beforeLoad: signedIn,
  loader: async () => (await api(AccountSettings)).me,
  gcTime: 0,
  component: lazyRouteComponent(() => import('./account-settings-page.tsx'), 'AccountSettingsPage'),
});

/** What belongs to the account and to no channel. */
export const settingsRoutes = [account] as const;
