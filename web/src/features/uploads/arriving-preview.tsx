import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { ArrivingVideo, type ArrivingVideoResult } from '../../gql/generated/operations.gen.ts';
import { t } from '../../lib/i18n.ts';
import { operationQuery } from '../../lib/query.ts';
import { preloadPlayer } from '../../player/hls-source.ts';
import { aspectOf } from '../../player/player-box.ts';
import { PreviewPlayer } from '../../player/preview-player.tsx';
import { arrivingPollMs } from './poll-arriving.ts';

interface Properties {
  readonly contentId: string;
  readonly title: string;
  /** Whether its upload goes on. */
  readonly isSending: boolean;
  /** Until it can be played; default nothing. */
  readonly fallback?: ReactNode;
}

/**
 * Plays what has arrived of an upload as soon as it can be played, and goes on when all has arrived. Files that cannot
 * be played from their beginning show nothing.
 */
export function ArrivingPreview({ contentId, title, isSending, fallback = null }: Properties) {
  const [since] = useState(() => Date.now());
  const { data } = useQuery({
    ...operationQuery(ArrivingVideo, { id: contentId }),
    // Each answer has another signature in the address.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchInterval: ({ state }) => (!isSending || arrivingIn(state.data) ? false : arrivingPollMs(Date.now() - since)),
  });
  useEffect(preloadPlayer, []);
  const video = arrivingIn(data);
  if (!video?.playlistUrl) return fallback;
  return (
    <div className="space-y-2">
      <div className="aspect-video overflow-hidden rounded-lg bg-black">
        <PreviewPlayer
          contentId={contentId}
          address={video.playlistUrl}
          title={title}
          artist={data?.content?.channel.metadata.title}
          aspect={aspectOf(video)}
        />
      </div>
      <p className="text-sm text-muted">
        {isSending
          ? t`The preview shows what is uploaded so far, and goes on while the rest is uploaded.`
          : t`The upload is complete.`}
      </p>
    </div>
  );
}

/** A video that was seen while it arrived. */
function arrivingIn(data: ArrivingVideoResult | undefined) {
  const video = data?.content?.assets.videos.edges[0]?.node;
  return video?.arriving ? video : undefined;
}
