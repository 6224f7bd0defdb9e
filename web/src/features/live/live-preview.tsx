import { useQuery } from '@tanstack/react-query';
import { type LivePreviewResult, LivePreview as Preview } from '../../gql/generated/operations.gen.ts';
import { operationQuery } from '../../lib/query.ts';
import { aspectOf, playableOf } from '../../player/player-box.ts';
import { PreviewPlayer } from '../../player/preview-player.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';

interface Properties {
  /** Id of a stream that is live. */
  readonly id: string;
  readonly title: string;
}

/** Until it can be played. */
const POLL_MS = 1_000;

/** What viewers of a broadcast see. */
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
    <PreviewPlayer
      contentId={id}
      address={video.playlistUrl}
      title={title}
      artist={data?.content?.channel.metadata.title}
      aspect={aspectOf(video)}
    />
  );
}

function videoIn(data: LivePreviewResult | undefined) {
  return data?.content ? playableOf(data.content.assets.videos) : undefined;
}
