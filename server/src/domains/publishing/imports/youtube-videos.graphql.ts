import type { Graph } from '../../../gql/index.ts';
import type { YouTubeEnums } from '../site/youtube-enums.graphql.ts';
import { DEFAULT_LIMIT, listYouTubeVideos, MAX_LIMIT } from './list-youtube-videos.ts';

/** The site takes two requests for a page. */
const TIMEOUT_MS = 60_000;

/** Declares the list of what the connected channel has at YouTube. */
export function declareYouTubeVideos(graph: Graph, { YouTubePrivacyStatus }: YouTubeEnums): void {
  const YouTubeVideo = graph.object('YouTubeVideo', {
    description: 'A video of the connected channel, as reported by YouTube.',
    fields: (f) => ({
      id: f.value({ type: 'String', description: 'Identifier at YouTube: 11 characters.' }),
      title: f.value({ type: 'String', description: 'Title.' }),
      description: f.value({ type: 'String', description: 'Description.' }),
      tags: f.value({ type: ['String'], description: 'Keywords.' }),
      publishedAt: f.value({ type: 'DateTime', nullable: true, description: 'When it was published there.' }),
      durationMs: f.value({ type: 'BigInt', nullable: true, description: 'Duration in milliseconds; null until YouTube reports it.' }),
      thumbnailUrl: f.value({ type: 'String', nullable: true, description: 'Address of its thumbnail on YouTube.' }),
      privacyStatus: f.value({ type: YouTubePrivacyStatus, description: 'Privacy on YouTube.' }),
      isLive: f.value({ type: 'Boolean', description: 'Whether it is a running or upcoming live stream, which cannot be imported.' }),
      url: f.value({ type: 'String', description: 'Address on YouTube.' }),
      contentId: f.value({
        type: 'DID',
        nullable: true,
        description: "The imported content in one of the caller's channels; null when it was not imported.",
      }),
    }),
  });
  const YouTubeVideoPage = graph.object('YouTubeVideoPage', {
    description: 'Some videos of the connected channel, newest first.',
    fields: (f) => ({
      videos: f.value({ type: [YouTubeVideo], description: 'The videos; may be fewer than requested.' }),
      nextPageToken: f.value({ type: 'String', nullable: true, description: 'For the next page; null on the last one.' }),
      totalCount: f.value({ type: 'Int', description: 'Total number, as reported by YouTube.' }),
    }),
  });
  graph.queryResolve('youtubeVideos', {
    access: 'account:read',
    type: YouTubeVideoPage,
    description: "Videos of the connected YouTube channel, paged by YouTube's page tokens.",
    args: (t) => ({
      pageToken: t.string({ description: 'nextPageToken of the previous page; defaults to the newest videos.' }),
      limit: t.int({ description: `Page size, 1 to ${MAX_LIMIT}; defaults to ${DEFAULT_LIMIT}.` }),
    }),
    timeoutMs: TIMEOUT_MS,
    resolve: listYouTubeVideos,
  });
}
