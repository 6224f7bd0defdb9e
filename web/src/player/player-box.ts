import type { CSSProperties } from 'react';

const PAGE_HEIGHT = 'min(78dvh, 60rem)';
/** Leaves room for the header and the title. */
const THEATRE_HEIGHT = 'calc(100dvh - 9rem)';

/**
 * The box of a player in its page, which is as wide as the page allows. Its place has the same before the player is
 * loaded, so that nothing moves then.
 */
export function playerBox(
  aspect: number,
  isTheatre: boolean,
): { readonly className: string; readonly style: CSSProperties } {
  return {
    className: aspect < 1 ? 'mx-auto max-w-[min(100%,26rem)]' : 'mx-auto',
    style: { aspectRatio: aspect, maxHeight: isTheatre ? THEATRE_HEIGHT : PAGE_HEIGHT },
  };
}

/** Width divided by height of a video; 16:9 when it is not known. */
export function aspectOf(video: { readonly width: number | null; readonly height: number | null }): number {
  return video.width && video.height ? video.width / video.height : 16 / 9;
}

interface Videos<Video> {
  readonly edges: readonly { readonly node: Video }[];
}

/** The video that is played; undefined where none is playable. */
export function playableOf<Video extends { readonly playlistUrl: string | null }>(
  videos: Videos<Video>,
): Video | undefined {
  return videos.edges.find(({ node }) => node.playlistUrl !== null)?.node;
}
