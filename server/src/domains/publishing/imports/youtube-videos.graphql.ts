import type { Graph } from '../../../gql/index.ts';
import type { YouTubeEnums } from '../site/youtube-enums.graphql.ts';
import { DEFAULT_LIMIT, listYouTubeVideos, MAX_LIMIT } from './list-youtube-videos.ts';

/** The site takes two requests for a page. */
const TIMEOUT_MS = 60_000;

/** Declares the list of the connected channel's videos on YouTube. */
export function declareYouTubeVideos(graph: Graph, { YouTubePrivacyStatus }: YouTubeEnums): void {
  const YouTubeVideo = graph.object('YouTubeVideo', {
    description: 'A video of the connected YouTube channel.',
    fields: (f) => ({
      id: f.value({ type: 'String', description: 'Id on YouTube: 11 characters.' }),
      videoId: f.value({ type: 'String', description: 'Id on YouTube: the same as id.' }),
      title: f.value({ type: 'String', description: 'Title.' }),
      description: f.value({ type: 'String', description: 'Description.' }),
      tags: f.value({ type: ['String'], description: 'Keywords.' }),
      publishedAt: f.value({ type: 'DateTime', nullable: true, description: 'When it was published on YouTube.' }),
      durationMs: f.value({
        type: 'Int',
        nullable: true,
        description: 'Length in milliseconds; null until YouTube knows it.',
      }),
      duration: f.value({
        type: 'String',
        nullable: true,
        description: 'Length as an ISO 8601 duration such as PT4M13S; null until YouTube knows it.',
      }),
      viewCount: f.value({
        type: 'Long',
        nullable: true,
        description: 'Number of views, as counted by YouTube; null if it does not say.',
      }),
      channelTitle: f.value({ type: 'String', nullable: true, description: 'Title of its channel on YouTube.' }),
      thumbnail: f.value({ type: 'URL', nullable: true, description: 'The same as thumbnailUrl.' }),
      thumbnailUrl: f.value({ type: 'URL', nullable: true, description: 'Address of its thumbnail on YouTube.' }),
      privacyStatus: f.value({ type: YouTubePrivacyStatus, description: 'Who may watch it on YouTube.' }),
      isLive: f.value({
        type: 'Boolean',
        description: 'Whether it is a running or upcoming live stream, which cannot be imported.',
      }),
      url: f.value({ type: 'URL', description: 'Its address on YouTube.' }),
      studioUrl: f.value({ type: 'URL', description: 'Its address in YouTube Studio.' }),
      contentId: f.value({
        type: 'DID',
        nullable: true,
        description: 'The imported content in a channel that the caller is a member of; null if it was not imported.',
      }),
    }),
  });
  const YouTubeVideoList = graph.object('YouTubeVideoList', {
    description: 'A page of videos of the connected channel, newest first.',
    fields: (f) => ({
      videos: f.value({
        type: [YouTubeVideo],
        description: `The videos, at most ${MAX_LIMIT}; fewer than requested if YouTube omits some.`,
      }),
      nextPageToken: f.value({
        type: 'String',
        nullable: true,
        description: 'For the next page; null on the last one.',
      }),
      totalCount: f.value({ type: 'Int', description: 'Total number, as counted by YouTube.' }),
      totalResults: f.value({ type: 'Int', description: 'The same as totalCount.' }),
    }),
  });
  graph.queryResolve('youtubeVideos', {
    access: 'account:read',
    type: YouTubeVideoList,
    description: 'The videos of the YouTube channel that the account has connected, paged by tokens of YouTube.',
    args: (t) => ({
      pageToken: t.string({ description: 'nextPageToken of the previous page; default: the newest videos.' }),
      limit: t.int({ description: `Page size, 1 to ${MAX_LIMIT}; default ${DEFAULT_LIMIT}.` }),
    }),
    timeoutMs: TIMEOUT_MS,
    resolve: listYouTubeVideos,
  });
}
