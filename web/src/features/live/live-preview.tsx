import { useQuery } from '@tanstack/react-query';
import { type LivePreviewResult, LivePreview as Preview } from '../../gql/generated/operations.gen.ts';
import { operationQuery } from '../../lib/query.ts';
import { allowsMotion } from '../../lib/reduced-motion.ts';
import { sameOriginUrl } from '../../lib/url.ts';
import { Player } from '../../player/player.tsx';
import { aspectOf, playableOf } from '../../player/player-box.ts';
import { ErrorNotice } from '../../ui/notice.tsx';

interface Properties {
  /** Id of a stream that is live. */
  readonly id: string;
  readonly title: string;
}

/** Until it can be played. */
const POLL_MS = 1_000;
const START = { autoplay: allowsMotion(), muted: true } as const;

/** What viewers of a broadcast see, without sound. It is no view. */
export function LivePreview({ id, title }: Properties) {
  const { data, error } = useQuery({
    ...operationQuery(Preview, { id }),
    // Each answer has another signature in the address.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchInterval: ({ state }) => (videoIn(state.data) ? false : POLL_MS),
  });
  const video = videoIn(data);
  if (!video?.playlistUrl) return error === null ? null : <ErrorNotice error={error} />;
  return (
    <Player
      isPreview
      fill
      contentId={id}
      url={sameOriginUrl(video.playlistUrl)}
      startAt={0}
      start={START}
      title={title}
      artist={data?.content?.channel.metadata.title ?? ''}
      poster={null}
      storyboard={null}
      aspect={aspectOf(video)}
    />
  );
}

function videoIn(data: LivePreviewResult | undefined) {
  return data?.content ? playableOf(data.content.assets.videos) : undefined;
}
