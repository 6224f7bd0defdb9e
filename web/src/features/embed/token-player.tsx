import { useQuery } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { ApiError, unreachable } from '../../lib/api.ts';
import { sameOriginUrl } from '../../lib/url.ts';
import { Player } from '../../player/player.tsx';
import { type Storyboard, storyboardOf } from '../../player/storyboard.ts';

/** The response of GET /playback/:content. */
export interface Playback {
  readonly title: string;
  readonly width: number | null;
  readonly height: number | null;
  readonly hls: string;
  readonly poster: string | null;
  readonly storyboard: Storyboard | null;
}

/** What a playback token allows; throws ApiError. The page around the frame is named for tokens that allow some. */
async function exchange(contentId: string, token: string): Promise<Playback> {
  const search = new URLSearchParams({ token, ...(document.referrer ? { site: document.referrer } : {}) });
  const response = await fetch(`/playback/${contentId.slice(-36)}?${search}`).catch(() => {
    throw unreachable();
  });
  const body: Playback & { errors?: { message: string; code: string }[] } = await response.json().catch(() => ({}));
  const [error] = body.errors ?? [];
  if (error) throw new ApiError({ message: error.message, extensions: { code: error.code } });
  if (!response.ok) throw unreachable();
  return body;
}

/** The content that a playback token names; null for what is no token. The server verifies it. */
export function subjectOf(token: string): string | null {
  try {
    const { sub } = JSON.parse(atob((token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')));
    return typeof sub === 'string' ? sub : null;
  } catch {
    return null;
  }
}

/** Exchanges the playback token in the page's URL. */
export function usePlayback(contentId: string | null, token: string | null) {
  return useQuery({
    queryKey: ['playback', contentId, token],
    queryFn: () => exchange(contentId ?? '', token ?? ''),
    enabled: contentId !== null && token !== null,
  });
}

/** The player of a content that a playback token allows. */
export function TokenPlayer({
  contentId,
  playback: { title, hls, poster, storyboard, width, height },
  from,
  ...options
}: {
  contentId: string;
  playback: Playback;
  from: number;
} & Pick<ComponentProps<typeof Player>, 'start' | 'bare' | 'onPlayer'>) {
  return (
    <Player
      {...options}
      contentId={contentId}
      startAt={from}
      url={sameOriginUrl(hls)}
      title={title}
      artist=""
      poster={poster && sameOriginUrl(poster)}
      storyboard={storyboardOf(storyboard)}
      aspect={width && height ? width / height : 16 / 9}
      fill
      top={
        <p className="line-clamp-2 font-semibold">
          <bdi>{title}</bdi>
        </p>
      }
    />
  );
}
