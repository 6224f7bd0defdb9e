import { type ReactNode, useState } from 'react';
import type { ImageFragment, PlayableFragment } from '../../gql/generated/operations.gen.ts';
import { sameOriginUrl } from '../../lib/url.ts';
import type { PlayerController } from '../../player/controller.ts';
import { Player } from '../../player/player.tsx';
import { aspectOf, playableOf } from '../../player/player-box.ts';
import type { Theatre } from '../../player/player-state.ts';
import { chaptersOf } from '../../player/ranges.ts';
import { storyboardOf } from '../../player/storyboard.ts';
import type { PlayerStart } from '../../player/use-controller.ts';
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
  const video = playableOf(content.assets.videos);
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
      poster={image ? posterOf(image) : null}
      storyboard={storyboardOf(content.outputAssets?.images?.videoThumbnails)}
      aspect={aspectOf(video)}
      chapters={chaptersOf(content)}
    />
  );
}

/** The smallest WebP file that is as wide as the window in pixels, where there is one; all browsers show it. */
function posterOf({ url, variants }: ImageFragment): string {
  const pixels = Math.min(window.innerWidth, 1280) * window.devicePixelRatio;
  const files = variants.filter(({ format }) => format === 'WEBP').toSorted((a, b) => a.width - b.width);
  const file = files.find(({ width }) => width >= pixels) ?? files.at(-1);
  return sameOriginUrl(file?.url ?? url);
}

/** The position to resume at, unless it is close to the start or the end. */
function resumeAt(watched: Played['watchPosition'], duration: number | null): number {
  const seconds = (watched?.positionMs ?? 0) / 1_000;
  return seconds < 5 || duration === null || seconds > duration * 0.95 ? 0 : seconds;
}
