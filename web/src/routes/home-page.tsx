import { getRouteApi, Link } from '@tanstack/react-router';
import { FeatureGrid } from '../features/browse/feature-grid.tsx';
import { Home } from '../gql/generated/operations.gen.ts';
import { api } from '../lib/api.ts';
import { useUser } from '../lib/session.ts';
import { buttonClass } from '../ui/button.tsx';
import { Empty } from '../ui/notice.tsx';

const route = getRouteApi('/');

/** The published videos, newest first. */
export function HomePage() {
  const { features } = route.useLoaderData();
  const user = useUser();
  return (
    <>
      <title>Reelgraph</title>
      {user === null && <Welcome />}
      {features.totalCount === 0 ? (
        <Empty
          title="No videos yet"
          action={
            <Link to="/studio" className={buttonClass('primary')}>
              Upload the first one
            </Link>
          }
        >
          As soon as somebody publishes a video here, this is where it appears.
        </Empty>
      ) : (
        <section aria-labelledby="latest">
          <h1 id="latest" className="mb-5 text-xl font-semibold">
            Latest videos
          </h1>
          <FeatureGrid first={features} more={async (after) => (await api(Home, { after })).features} />
        </section>
      )}
    </>
  );
}

function Welcome() {
  return (
    <section aria-label="About Reelgraph" className="mb-10 max-w-2xl space-y-4 py-6 sm:py-10">
      <p className="text-4xl leading-tight font-bold tracking-tight text-balance sm:text-5xl">
        Your video. <span className="text-accent-text">One typed graph.</span>
      </p>
      <p className="text-lg text-pretty text-muted">Upload, transcode, publish and watch on your own machine, from the studio or from one GraphQL endpoint.</p>
      <p className="flex flex-wrap gap-3 pt-1">
        <Link to="/sign-up" className={buttonClass('primary')}>
          Create an account
        </Link>
        <Link to="/sign-in" className={buttonClass('plain')}>
          Sign in
        </Link>
      </p>
    </section>
  );
}
