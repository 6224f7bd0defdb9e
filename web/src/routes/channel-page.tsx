import { getRouteApi } from '@tanstack/react-router';
import { FeatureGrid } from '../features/browse/feature-grid.tsx';
import { ChannelFeatures } from '../gql/generated/operations.gen.ts';
import { api } from '../lib/api.ts';
import { calendarDate } from '../lib/format.ts';
import { Empty } from '../ui/notice.tsx';
import { Avatar, Picture, pick } from '../ui/picture.tsx';

const route = getRouteApi('/channel/$id');

/** A channel: who it is and what it published. */
export function ChannelPage() {
  const channel = route.useLoaderData();
  const { title, summary } = channel.metadata;
  const banner = pick(channel.assets.images, 'BANNER');
  const { totalCount } = channel.features;
  return (
    <>
      <title>{`${title} · Reelgraph`}</title>
      {banner && <Picture image={banner} sizes="(min-width: 80rem) 78rem, 100vw" eager className="mb-6 aspect-[5/1] w-full rounded-2xl" />}
      <header className="mb-8 flex flex-wrap items-center gap-5 border-b border-line pb-8">
        <Avatar image={pick(channel.assets.images, 'AVATAR')} name={title} className="size-20 text-3xl" />
        <div className="min-w-0 grow basis-64 space-y-1">
          <h1 className="text-3xl font-bold [overflow-wrap:anywhere]">{title}</h1>
          <p className="text-muted">
            @{channel.handle} · {totalCount} {totalCount === 1 ? 'video' : 'videos'} · since {calendarDate(channel.createdAt)}
          </p>
          {summary && <p className="max-w-prose pt-1 whitespace-pre-line [overflow-wrap:anywhere]">{summary}</p>}
        </div>
      </header>
      {totalCount === 0 ? (
        <Empty title="Nothing published yet">Videos of this channel appear here once they are published.</Empty>
      ) : (
        <section aria-label={`Videos of ${title}`}>
          <FeatureGrid
            key={channel.id}
            first={channel.features}
            named={false}
            more={async (after) => (await api(ChannelFeatures, { id: channel.id, after })).channel?.features}
          />
        </section>
      )}
    </>
  );
}
