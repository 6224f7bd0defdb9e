import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { WatchResult } from '../../gql/generated/operations.gen.ts';
import { here } from '../../lib/address.ts';
import type { PlayerController } from '../../player/controller.ts';
import { Player } from '../../player/player.tsx';
import { pick } from '../../ui/picture.tsx';

export type Watched = NonNullable<WatchResult['content']>;

interface Properties {
  readonly content: Watched;
  /** Seconds from the beginning, as the address asks for. */
  readonly from: number | undefined;
  readonly onEnded: () => void;
  readonly onPlayer: (player: PlayerController | null) => void;
}

/** The player, or why there is nothing to play. */
export function Stage({ content, from, onEnded, onPlayer }: Properties) {
  // Once per visit: what is known of the position changes while it is watched.
  const [startAt] = useState(() => from ?? resumeAt(content.watchPosition, content.metadata.duration));
  const video = content.assets.videos.edges.map(({ node }) => node).find(({ playlistUrl }) => playlistUrl !== null);
  if (!video?.playlistUrl) return <NotReady status={content.status} />;
  const image = pick(content.assets.images, 'POSTER', 'THUMBNAIL');
  const thumbnails = content.outputAssets?.images?.videoThumbnails ?? null;
  return (
    <div className="-mx-4 -mt-6 overflow-hidden bg-black sm:mx-0 sm:mt-0 sm:rounded-2xl">
      <Player
        contentId={content.id}
        startAt={startAt}
        url={here(video.playlistUrl)}
        title={content.metadata.title}
        artist={content.channel.metadata.title}
        poster={image ? here(image.url) : null}
        storyboard={thumbnails ? { urlFormat: here(thumbnails.urlFormat), count: thumbnails.count } : null}
        aspect={video.width && video.height ? video.width / video.height : 16 / 9}
        chapters={content.chapters}
        onEnded={onEnded}
        onPlayer={onPlayer}
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
