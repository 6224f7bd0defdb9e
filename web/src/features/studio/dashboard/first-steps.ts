/** What a new channel has. */
export interface ChannelStart {
  readonly contentCount: number;
  readonly publishedCount: number;
  readonly playlistCount: number;
  readonly hasAvatar: boolean;
  readonly hasSummary: boolean;
}

export interface FirstStep {
  readonly title: string;
  readonly text: string;
  readonly to: '/studio/videos' | '/studio/channel' | '/studio/playlists';
  readonly action: string;
  readonly isDone: boolean;
}

/** What a creator does first, in order. */
export function firstSteps(start: ChannelStart): FirstStep[] {
  return [
    {
      title: 'Upload a video',
      text: 'It stays private until you choose who can watch.',
      ...({ to: '/studio/videos', action: 'Go to videos' } as const),
      isDone: start.contentCount > 0,
    },
    {
      title: 'Publish it',
      text: 'Add a title and a thumbnail, and choose who can watch.',
      ...({ to: '/studio/videos', action: 'Go to videos' } as const),
      isDone: start.publishedCount > 0,
    },
    {
      title: 'Show who you are',
      text: 'A picture and a description help viewers to find the channel again.',
      ...({ to: '/studio/channel', action: 'Edit channel' } as const),
      isDone: start.hasAvatar && start.hasSummary,
    },
    {
      title: 'Make a playlist',
      text: 'Videos in a playlist play one after the other.',
      ...({ to: '/studio/playlists', action: 'Go to playlists' } as const),
      isDone: start.playlistCount > 0,
    },
  ];
}
