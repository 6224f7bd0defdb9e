import { createRoute, lazyRouteComponent, notFound } from '@tanstack/react-router';
import { type PeriodSearch, readPeriod } from '../features/analytics/period.ts';
import { AnalyticsChannel, AnalyticsHome } from '../gql/generated/operations.gen.ts';
import { api } from '../lib/api.ts';
import { channelDid, contentDid, namespace } from '../lib/did.ts';
import { orMissing, root, signedIn } from './root.tsx';

/** What the address of numbers says: of which channel (the end of its DID; the account's own when left out), and when. */
interface AnalyticsSearch extends PeriodSearch {
  readonly channel?: string;
}

const readSearch = (search: Record<string, unknown>): AnalyticsSearch => ({
  ...(typeof search.channel === 'string' && { channel: search.channel }),
  ...readPeriod(search),
});

/** The channel of the address with its time zone. Throws notFound where there is none. */
async function channelOf({ channel: named }: { channel: string | undefined }): Promise<{ id: string; timeZone: string }> {
  const id = named === undefined ? (await api(AnalyticsHome)).me.channel.id : channelDid(named, namespace());
  const found = id === null ? null : (await orMissing(api(AnalyticsChannel, { channel: id }))).channel;
  if (!found) throw notFound();
  return found;
}

const all = createRoute({
  getParentRoute: () => root,
  path: '/studio/analytics',
  validateSearch: readSearch,
  beforeLoad: signedIn,
  loaderDeps: ({ search: { channel } }) => ({ channel }),
  loader: ({ deps }) => channelOf(deps),
  component: lazyRouteComponent(() => import('./studio-analytics-page.tsx'), 'StudioAnalyticsPage'),
});

const one = createRoute({
  getParentRoute: () => root,
  path: '/studio/analytics/$',
  validateSearch: readSearch,
  beforeLoad: signedIn,
  loaderDeps: ({ search: { channel } }) => ({ channel }),
  loader: async ({ params, deps }) => {
    const content = contentDid(params._splat ?? '', namespace());
    if (!content) throw notFound();
    return { channel: await channelOf(deps), content };
  },
  component: lazyRouteComponent(() => import('./studio-video-analytics-page.tsx'), 'StudioVideoAnalyticsPage'),
});

/** The numbers of a channel, and of one of its videos. */
export const analyticsRoutes = [all, one] as const;
