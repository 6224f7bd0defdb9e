import { createRootRoute, createRoute, createRouter, lazyRouteComponent, notFound, redirect } from '@tanstack/react-router';
import { ChannelPage, DeveloperPage, Home, OpenUploads, Studio, Watch } from './gql/generated/operations.gen.ts';
import { safeNext } from './lib/address.ts';
import { ApiError, api } from './lib/api.ts';
import { channelDid, contentDid, namespace } from './lib/did.ts';
import { currentUser } from './lib/session.ts';
import { Failed, Missing, Pending } from './routes/fallbacks.tsx';
import { Shell } from './routes/shell.tsx';

/** Every address of the app: what must be true to enter, what it loads, and the page, whose code comes on demand. */
const root = createRootRoute({ component: Shell, notFoundComponent: Missing });

/** An object the visitor cannot see is a missing page, not a failure. */
async function orMissing<Result>(asked: Promise<Result>): Promise<Result> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'RESOURCE_NOT_FOUND') throw notFound();
    throw error;
  }
}

async function signedIn({ location }: { location: { href: string } }): Promise<void> {
  if (!(await currentUser())) throw redirect({ to: '/sign-in', search: { next: location.href } });
}

const next = (search: Record<string, unknown>): { next?: string } => (search.next === undefined ? {} : { next: safeNext(search.next) });

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  loader: () => api(Home, {}),
  component: lazyRouteComponent(() => import('./routes/home-page.tsx'), 'HomePage'),
});

const watch = createRoute({
  getParentRoute: () => root,
  path: '/watch/$',
  loader: async ({ params }) => {
    const id = contentDid(params._splat ?? '', namespace());
    if (!id) throw notFound();
    const { content } = await orMissing(api(Watch, { id }));
    if (!content) throw notFound();
    return content;
  },
  component: lazyRouteComponent(() => import('./routes/watch-page.tsx'), 'WatchPage'),
});

const channel = createRoute({
  getParentRoute: () => root,
  path: '/channel/$id',
  loader: async ({ params }) => {
    const id = channelDid(params.id, namespace());
    if (!id) throw notFound();
    const { channel: found } = await orMissing(api(ChannelPage, { id }));
    if (!found) throw notFound();
    return found;
  },
  component: lazyRouteComponent(() => import('./routes/channel-page.tsx'), 'ChannelPage'),
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: next,
  component: lazyRouteComponent(() => import('./routes/account-pages.tsx'), 'SignInPage'),
});

const signUp = createRoute({
  getParentRoute: () => root,
  path: '/sign-up',
  validateSearch: next,
  component: lazyRouteComponent(() => import('./routes/account-pages.tsx'), 'SignUpPage'),
});

const studio = createRoute({
  getParentRoute: () => root,
  path: '/studio',
  beforeLoad: signedIn,
  loader: async () => {
    const [{ me }, uploads] = await Promise.all([api(Studio, {}), api(OpenUploads, {})]);
    return { channel: me.channel, uploads: uploads.me.ingestions.edges.map(({ node }) => node) };
  },
  gcTime: 0, // the state of one's own videos is never shown from memory
  component: lazyRouteComponent(() => import('./routes/studio-page.tsx'), 'StudioPage'),
});

const developer = createRoute({
  getParentRoute: () => root,
  path: '/settings/developer',
  beforeLoad: signedIn,
  loader: async () => (await api(DeveloperPage, {})).developerSettings,
  gcTime: 0,
  component: lazyRouteComponent(() => import('./routes/developer-page.tsx'), 'DeveloperPage'),
});

export function createAppRouter() {
  return createRouter({
    routeTree: root.addChildren([home, watch, channel, signIn, signUp, studio, developer]),
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 10_000,
    defaultPendingMs: 200,
    defaultPendingMinMs: 300,
    defaultPendingComponent: Pending,
    defaultErrorComponent: Failed,
    defaultNotFoundComponent: Missing,
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
