import { allowsMotion } from '../lib/reduced-motion.ts';
import { sameOriginUrl } from '../lib/url.ts';
import { Player } from './player.tsx';

interface Properties {
  readonly contentId: string;
  /** Of an HLS playlist. */
  readonly address: string;
  readonly title: string;
  /** Title of the channel; default none. */
  readonly artist?: string | undefined;
  /** Width by height. */
  readonly aspect: number;
}

const START = { autoplay: allowsMotion(), muted: true } as const;

/** Shows members of the channel what viewers see, or will see, without sound. It is no view. */
export function PreviewPlayer({ contentId, address, title, artist = '', aspect }: Properties) {
  return (
    <Player
      isPreview
      fill
      contentId={contentId}
      url={sameOriginUrl(address)}
      startAt={0}
      start={START}
      title={title}
      artist={artist}
      poster={null}
      storyboard={null}
      aspect={aspect}
    />
  );
}
