import { getRouteApi, Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { FeatureCard } from '../features/browse/feature-grid.tsx';
import { type FeatureCardFragment, MoreFromChannel, type WatchResult } from '../gql/generated/operations.gen.ts';
import { here } from '../lib/address.ts';
import { api } from '../lib/api.ts';
import { channelPath } from '../lib/did.ts';
import { calendarDate } from '../lib/format.ts';
import { Player } from '../player/player.tsx';
import { Avatar, pick } from '../ui/picture.tsx';

const route = getRouteApi('/watch/$');

type Watched = NonNullable<WatchResult['content']>;

/** One video with what belongs to it, and more of its channel. */
export function WatchPage() {
  const content = route.useLoaderData();
  const { title, summary, keywords } = content.metadata;
  return (
    <>
      <title>{`${title} · Reelgraph`}</title>
      <Stage content={content} />
      <div className="mt-6 grid gap-10 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <article className="min-w-0 space-y-5">
          <h1 className="text-2xl leading-tight font-bold [overflow-wrap:anywhere] sm:text-3xl">{title}</h1>
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line pb-5">
            <Link
              to="/channel/$id"
              params={{ id: channelPath(content.channel.id) }}
              className="flex items-center gap-3 rounded-lg font-semibold hover:text-accent-text"
            >
              <Avatar image={pick(content.channel.assets.images, 'AVATAR')} name={content.channel.metadata.title} />
              {content.channel.metadata.title}
            </Link>
            {content.publishedAt && (
              <span className="text-muted">
                Published on <time dateTime={content.publishedAt}>{calendarDate(content.publishedAt)}</time>
              </span>
            )}
            {content.status !== 'PUBLISHED' && <Tag>Not published: only you can see this page</Tag>}
            {content.metadata.visibility !== 'PUBLIC' && <Tag>{content.metadata.visibility === 'PRIVATE' ? 'Private' : 'Unlisted'}</Tag>}
          </div>
          {summary && <p className="max-w-prose leading-relaxed whitespace-pre-line [overflow-wrap:anywhere]">{summary}</p>}
          {keywords.length > 0 && (
            <ul aria-label="Keywords" className="flex flex-wrap gap-2">
              {keywords.map((keyword) => (
                <li key={keyword}>
                  <Tag>{keyword}</Tag>
                </li>
              ))}
            </ul>
          )}
        </article>
        <More channel={content.channel} except={content.id} />
      </div>
    </>
  );
}

function Tag({ children }: { children: React.ReactNode }) {
  return <span className="rounded-full border border-line bg-surface px-3 py-1 text-sm text-muted">{children}</span>;
}

function Stage({ content }: { content: Watched }) {
  const video = content.assets.videos.edges.map(({ node }) => node).find(({ playlistUrl }) => playlistUrl !== null);
  if (!video?.playlistUrl) return <NotReady status={content.status} />;
  const image = pick(content.assets.images, 'POSTER', 'THUMBNAIL');
  const thumbnails = content.outputAssets?.images?.videoThumbnails ?? null;
  return (
    <div className="-mx-4 -mt-6 overflow-hidden bg-black sm:mx-0 sm:mt-0 sm:rounded-2xl">
      <Player
        key={content.id}
        contentId={content.id}
        startAt={resumeAt(content.watchPosition, content.metadata.duration)}
        url={here(video.playlistUrl)}
        title={content.metadata.title}
        artist={content.channel.metadata.title}
        poster={image ? here(image.url) : null}
        storyboard={thumbnails ? { urlFormat: here(thumbnails.urlFormat), count: thumbnails.count } : null}
        aspect={video.width && video.height ? video.width / video.height : 16 / 9}
      />
    </div>
  );
}

/** Where watching goes on: where it stopped, unless that is (almost) the beginning or the end. */
function resumeAt(position: Watched['watchPosition'], duration: number | null): number {
  if (!position || position.position < 5 || duration === null || position.position > duration * 0.95) return 0;
  return position.position;
}

function NotReady({ status }: { status: Watched['status'] }) {
  const said = {
    DRAFT: 'Nothing has been uploaded for this video yet.',
    PROCESSING: 'This video is being prepared. Come back in a moment.',
    FAILED: 'This video could not be processed.',
    READY: 'This video has no stream yet.',
    PUBLISHED: 'This video has no stream yet.',
  }[status];
  return (
    <div
      role="status"
      className="grid aspect-video max-h-[60dvh] w-full place-items-center rounded-2xl border border-line bg-surface px-6 text-center text-muted"
    >
      <p>
        {said}{' '}
        {status !== 'PUBLISHED' && (
          <Link to="/studio" className="text-accent-text underline underline-offset-3">
            Open the studio
          </Link>
        )}
      </p>
    </div>
  );
}

/** The channel's other videos; the page is whole without them, so a failure leaves them out. */
function More({ channel, except }: { channel: Watched['channel']; except: string }) {
  const [features, setFeatures] = useState<readonly FeatureCardFragment[] | null>(null);
  useEffect(() => {
    let current = true;
    api(MoreFromChannel, { id: channel.id })
      .then((answer) => current && setFeatures(answer.channel?.features.edges.map(({ node }) => node) ?? []))
      .catch(() => current && setFeatures([]));
    return () => {
      current = false;
    };
  }, [channel.id]);
  const others = (features ?? []).filter(({ id }) => id !== except).slice(0, 8);
  if (others.length === 0) return null;
  return (
    <aside aria-labelledby="more" className="space-y-5">
      <h2 id="more" className="text-lg font-semibold">
        More from {channel.metadata.title}
      </h2>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,15rem),1fr))] gap-5">
        {others.map((feature) => (
          <FeatureCard key={feature.id} feature={feature} named={false} />
        ))}
      </div>
    </aside>
  );
}
