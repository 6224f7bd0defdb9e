import { type ReactNode, useState } from 'react';
import type { PlayableFragment } from '../../gql/generated/operations.gen.ts';
import { sameOriginUrl } from '../../lib/url.ts';
import type { PlayerController } from '../../player/controller.ts';
import { Player, type PlayerStart } from '../../player/player.tsx';
import type { Theatre } from '../../player/player-state.ts';
import { storyboardOf } from '../../player/storyboard.ts';
import { pickImage } from '../../ui/image.tsx';

interface Played extends PlayableFragment {
  readonly id: string;
  readonly metadata: { readonly title: string; readonly duration: number | null };
  readonly channel: { readonly metadata: { readonly title: string } };
}

interface Properties {
  readonly content: Played;
  /** Start position in seconds, from the URL. */
  readonly from: number | undefined;
  /** Shown when there is nothing to play. */
  readonly otherwise: ReactNode;
  readonly fill?: boolean;
  readonly top?: ReactNode;
  readonly start?: PlayerStart;
  readonly bare?: boolean;
  readonly theatre?: Theatre;
  readonly onLayer?: (layer: HTMLElement | null) => void;
  readonly onPlayer?: (player: PlayerController | null) => void;
}

/** The player of a content, which resumes where the viewer stopped. */
export function PlayContent({ content, from, otherwise, ...player }: Properties) {
  // Once per visit: the stored position changes during playback.
  const [startAt] = useState(() => from ?? resumeAt(content.watchPosition, content.metadata.duration));
  const video = content.assets.videos.edges.map(({ node }) => node).find(({ playlistUrl }) => playlistUrl !== null);
  if (!video?.playlistUrl) return otherwise;
  const { card } = content;
  const image = card.variant ? card.image : pickImage(content.assets.images, 'POSTER', 'THUMBNAIL');
  return (
    <Player
      {...player}
      contentId={content.id}
      startAt={startAt}
      url={sameOriginUrl(video.playlistUrl)}
      title={card.title}
      artist={content.channel.metadata.title}
      poster={image ? sameOriginUrl(image.url) : null}
      storyboard={storyboardOf(content.outputAssets?.images?.videoThumbnails)}
      aspect={video.width && video.height ? video.width / video.height : 16 / 9}
      chapters={content.chapters}
    />
  );
}

/** The position to resume at, unless it is close to the start or the end. */
function resumeAt(position: Played['watchPosition'], duration: number | null): number {
  if (!position || position.position < 5 || duration === null || position.position > duration * 0.95) return 0;
  return position.position;
}
