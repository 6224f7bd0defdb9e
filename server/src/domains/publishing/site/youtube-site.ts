import type { Clock } from '../../../platform/clock.ts';
import type { ExchangeRequest, ExchangeResponse, GuardedExchange } from '../../../platform/fetch/guarded-exchange.ts';
import { type ExternalSite, isVideoId, type SiteAccess, type SiteVideo } from './external-site.ts';
import type { SiteAddresses } from './site-addresses.ts';
import { reasonOf, siteError } from './site-errors.ts';
import {
  ChannelsResponse,
  channelOf,
  PlaylistItemsResponse,
  readResponse,
  VideosResponse,
  videoOf,
} from './youtube-responses.ts';

export interface YouTubeTools {
  readonly addresses: SiteAddresses;
  readonly exchange: GuardedExchange;
  readonly clock: Clock;
}

/** The YouTube Data API v3. Each of its lists costs one unit of the project's quota. */
export function youTubeSite(tools: YouTubeTools): ExternalSite {
  const { addresses } = tools;
  const get = (resource: string, query: Record<string, string>, send: Send) =>
    send({ method: 'GET', url: `${addresses.api}/${resource}?${new URLSearchParams(query)}`, headers: {} });
  const readVideos = async (access: SiteAccess, ids: readonly string[]): Promise<SiteVideo[]> => {
    if (ids.length === 0) return [];
    const query = { part: 'snippet,contentDetails,status,statistics', id: ids.join(','), maxResults: '50' };
    const { items } = readResponse(
      VideosResponse,
      require2xx(tools, await get('videos', query, withAccess(tools, access))).text,
    );
    const own = new Map(
      items.filter(({ snippet }) => snippet.channelId === access.channelId).map((item) => [item.id, item]),
    );
    return ids.flatMap((id) => {
      const item = own.get(id);
      return item ? [videoOf(item)] : [];
    });
  };
  return {
    async readChannel(token) {
      const query = { part: 'snippet,contentDetails', mine: 'true' };
      const response = await get('channels', query, (request) => tools.exchange(authorized(request, token)));
      return channelOf(readResponse(ChannelsResponse, require2xx(tools, response).text));
    },
    async listVideos(access, { pageToken, limit }) {
      const query = { part: 'contentDetails', playlistId: access.uploadsPlaylistId, maxResults: String(limit) };
      const response = await get(
        'playlistItems',
        pageToken === null ? query : { ...query, pageToken },
        withAccess(tools, access),
      );
      // A channel without uploads has no playlist of them.
      if (reasonOf(response) === 'playlistNotFound') return { videos: [], nextPageToken: null, totalCount: 0 };
      const page = readResponse(PlaylistItemsResponse, require2xx(tools, response).text);
      const videos = await readVideos(
        access,
        page.items.map(({ contentDetails }) => contentDetails.videoId),
      );
      return { videos, nextPageToken: page.nextPageToken ?? null, totalCount: page.pageInfo.totalResults };
    },
    async readVideo(access, videoId) {
      return isVideoId(videoId) ? ((await readVideos(access, [videoId]))[0] ?? null) : null;
    },
  };
}

/** Sends a request with the given credential. */
export type Send = (request: ExchangeRequest) => Promise<ExchangeResponse>;

/** Sends a request for an account: a refused token is replaced once. The body must be repeatable. */
export function withAccess({ exchange }: Pick<YouTubeTools, 'exchange'>, access: SiteAccess): Send {
  return async (request) => {
    const token = await access.token();
    const response = await exchange(authorized(request, token));
    if (response.status !== 401) return response;
    return exchange(authorized(request, await access.token(token)));
  };
}

/** Returns a success response. Throws the mapped error otherwise. */
export function require2xx({ clock }: Pick<YouTubeTools, 'clock'>, response: ExchangeResponse): ExchangeResponse {
  if (response.status >= 200 && response.status < 300) return response;
  throw siteError(response, clock.now());
}

function authorized(request: ExchangeRequest, token: string): ExchangeRequest {
  return { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } };
}
