import { createRoute, createRouter, redirect } from '@tanstack/react-router';
import { landingQuery } from './lib/landing-query.ts';
import { lazyPage } from './lib/lazy-page.ts';
import { isStillSignedIn } from './lib/session.ts';
import { isOutside, safeRedirectPath } from './lib/url.ts';
import { adminRoutes } from './routes/admin/admin-routes.ts';
import { developerRoutes } from './routes/developer/developer-routes.ts';
import { NotFound, Pending, RouteError } from './routes/fallbacks.tsx';
import { root } from './routes/root.tsx';
import { settingsRoutes } from './routes/settings/settings-routes.ts';
import { studioRoutes } from './routes/studio/studio-routes.ts';
import { viewerRoutes } from './routes/viewer/viewer-routes.tsx';

/** All routes of the application: guards, loaders, and lazily loaded pages. */
const next = (search: Record<string, unknown>): { next?: string } =>
  search.next === undefined ? {} : { next: safeRedirectPath(search.next) };

const invited = (search: Record<string, unknown>): { next?: string; invitation?: string; email?: string } => ({
  ...next(search),
  ...(typeof search.invitation === 'string' ? { invitation: search.invitation } : {}),
  ...(typeof search.email === 'string' ? { email: search.email } : {}),
});

/** Whoever is signed in when the page opens has nothing to do there. Its forms redirect by themselves. */
async function leaveIfSignedIn({ cause, search }: { cause: string; search: { next?: string } }): Promise<void> {
  const { next: href = '/' } = search;
  if (cause === 'enter' && (await isStillSignedIn()))
    throw redirect({ href, replace: true, reloadDocument: isOutside(href) });
}

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: next,
  beforeLoad: leaveIfSignedIn,
  component: lazyPage(() => import('./routes/account-pages.tsx'), 'SignInPage'),
});

/** Providers send browsers back here, also those that are signed in and link one. */
const signInProvider = createRoute({
  getParentRoute: () => root,
  path: '/sign-in/$provider',
  loader: () => ({ query: landingQuery }),
  component: lazyPage(() => import('./routes/provider-page.tsx'), 'ProviderPage'),
});

const signUp = createRoute({
  getParentRoute: () => root,
  path: '/sign-up',
  validateSearch: invited,
  beforeLoad: leaveIfSignedIn,
  component: lazyPage(() => import('./routes/account-pages.tsx'), 'SignUpPage'),
});

const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: '/forgot-password',
  component: lazyPage(() => import('./routes/recovery-pages.tsx'), 'ForgotPasswordPage'),
});

const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  component: lazyPage(() => import('./routes/recovery-pages.tsx'), 'ResetPasswordPage'),
});

const confirmSignUp = createRoute({
  getParentRoute: () => root,
  path: '/confirm-sign-up',
  component: lazyPage(() => import('./routes/confirmation-pages.tsx'), 'ConfirmSignUpPage'),
});

const confirmEmail = createRoute({
  getParentRoute: () => root,
  path: '/confirm-email',
  component: lazyPage(() => import('./routes/confirmation-pages.tsx'), 'ConfirmEmailPage'),
});

const unsubscribe = createRoute({
  getParentRoute: () => root,
  path: '/unsubscribe',
  component: lazyPage(() => import('./routes/unsubscribe-page.tsx'), 'UnsubscribePage'),
});

export function createAppRouter() {
  return createRouter({
    routeTree: root.addChildren([
      ...viewerRoutes,
      signIn,
      signInProvider,
      signUp,
      forgotPassword,
      resetPassword,
      confirmSignUp,
      confirmEmail,
      unsubscribe,
      studioRoutes,
      ...developerRoutes,
      ...settingsRoutes,
      ...adminRoutes,
    ]),
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 10_000,
    defaultPendingMs: 200,
    defaultPendingMinMs: 300,
    defaultPendingComponent: Pending,
    defaultErrorComponent: RouteError,
    defaultNotFoundComponent: NotFound,
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
