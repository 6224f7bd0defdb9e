import type { Graph } from '../../../gql/index.ts';
import type { YouTubeEnums } from '../site/youtube-enums.graphql.ts';
import { DEFAULT_LIMIT, listYouTubeVideos, MAX_LIMIT } from './list-youtube-videos.ts';

/** The site takes two requests for a page. */
const TIMEOUT_MS = 60_000;

/** Declares the list of what the connected channel has at YouTube. */
export function declareYouTubeVideos(graph: Graph, { YouTubePrivacyStatus }: YouTubeEnums): void {
  const YouTubeVideo = graph.object('YouTubeVideo', {
    description: 'A video of the connected channel, as YouTube tells of it.',
    fields: (f) => ({
      id: f.value({ type: 'String', description: 'Identifier at YouTube: 11 characters.' }),
      title: f.value({ type: 'String', description: 'Title.' }),
      description: f.value({ type: 'String', description: 'Description.' }),
      tags: f.value({ type: ['String'], description: 'Keywords.' }),
      publishedAt: f.value({ type: 'DateTime', nullable: true, description: 'When it was published there.' }),
      durationMs: f.value({ type: 'BigInt', nullable: true, description: 'How long it is, in milliseconds; null until YouTube knows.' }),
      thumbnailUrl: f.value({ type: 'String', nullable: true, description: 'Address of its picture at YouTube.' }),
      privacyStatus: f.value({ type: YouTubePrivacyStatus, description: 'Who may watch it there.' }),
      isLive: f.value({ type: 'Boolean', description: 'Whether it is a live stream that runs or is to come, which cannot be imported.' }),
      url: f.value({ type: 'String', description: 'Where it is watched.' }),
      contentId: f.value({
        type: 'DID',
        nullable: true,
        description: 'The content that was made of it in a channel one works on; null when it was not imported.',
      }),
    }),
  });
  const YouTubeVideoPage = graph.object('YouTubeVideoPage', {
    description: 'Some videos of the connected channel, newest first.',
    fields: (f) => ({
      videos: f.value({ type: [YouTubeVideo], description: 'The videos; fewer than asked for where YouTube leaves some out.' }),
      nextPageToken: f.value({ type: 'String', nullable: true, description: 'For the next page; null on the last one.' }),
      totalCount: f.value({ type: 'Int', description: 'How many there are, as YouTube counts.' }),
    }),
  });
  graph.queryResolve('youtubeVideos', {
    access: 'account:read',
    type: YouTubeVideoPage,
    description: 'The videos of the YouTube channel that the account has connected. It is paged by tokens of YouTube.',
    args: (t) => ({
      pageToken: t.string({ description: 'nextPageToken of the page before; the newest videos without it.' }),
      limit: t.int({ description: `How many, 1 to ${MAX_LIMIT}; ${DEFAULT_LIMIT} unless it says otherwise.` }),
    }),
    timeoutMs: TIMEOUT_MS,
    resolve: listYouTubeVideos,
  });
}
