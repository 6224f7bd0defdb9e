import { t } from '../../../lib/i18n.ts';
import type { Step } from '../../../ui/step-list.tsx';

/** What a new channel has. */
export interface ChannelStart {
  readonly contentCount: number;
  readonly publishedCount: number;
  readonly playlistCount: number;
  readonly hasAvatar: boolean;
  readonly hasSummary: boolean;
}

/** What a creator does first, in order. */
export function firstSteps(start: ChannelStart): Step[] {
  return [
    {
      id: 'upload',
      title: t`Upload a video`,
      text: t`It stays private until you choose who can watch.`,
      ...({ to: '/studio/videos', action: t`Go to videos` } as const),
      isDone: start.contentCount > 0,
    },
    {
      id: 'publish',
      title: t`Publish it`,
      text: t`Add a title and a thumbnail, and choose who can watch.`,
      ...({ to: '/studio/videos', action: t`Go to videos` } as const),
      isDone: start.publishedCount > 0,
    },
    {
      id: 'profile',
      title: t`Show who you are`,
      text: t`A picture and a description help viewers to find the channel again.`,
      ...({ to: '/studio/channel', action: t`Edit channel` } as const),
      isDone: start.hasAvatar && start.hasSummary,
    },
    {
      id: 'playlist',
      title: t`Make a playlist`,
      text: t`Videos in a playlist play one after the other.`,
      ...({ to: '/studio/playlists', action: t`Go to playlists` } as const),
      isDone: start.playlistCount > 0,
    },
  ];
}
