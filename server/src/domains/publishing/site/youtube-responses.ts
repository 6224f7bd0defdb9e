import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { SiteChannel, SitePrivacyStatus, SiteVideo } from './external-site.ts';
import { siteVideoUrl } from './site-addresses.ts';

/** The used parts of the Data API's responses, with bounded sizes; the rest is dropped. */
const Thumbnail = z.object({ url: z.string().max(2_048), width: z.number().optional() });
const Thumbnails = z.record(z.string(), Thumbnail).default({});
const Id = z.string().regex(/^[A-Za-z0-9_-]{2,64}$/);

export const ChannelsResponse = z.object({
  items: z
    .array(
      z.object({
        id: Id,
        snippet: z.object({ title: z.string().max(1_000), thumbnails: Thumbnails }),
        contentDetails: z.object({ relatedPlaylists: z.object({ uploads: Id }) }),
      }),
    )
    .max(50)
    .default([]),
});

export const PlaylistItemsResponse = z.object({
  nextPageToken: z
    .string()
    .max(500)
    .regex(/^[\w-]+={0,2}$/)
    .optional(),
  pageInfo: z.object({ totalResults: z.number().int().nonnegative() }),
  items: z
    .array(z.object({ contentDetails: z.object({ videoId: Id }) }))
    .max(50)
    .default([]),
});

const Video = z.object({
  id: Id,
  snippet: z.object({
    channelId: Id,
    channelTitle: z.string().max(1_000).optional(),
    title: z.string().max(1_000),
    description: z.string().max(20_000).default(''),
    tags: z.array(z.string().max(1_000)).max(500).default([]),
    publishedAt: z.iso.datetime().optional(),
    thumbnails: Thumbnails,
    liveBroadcastContent: z.string().max(20).default('none'),
  }),
  contentDetails: z.object({ duration: z.string().max(50).default('') }).default({ duration: '' }),
  status: z.object({ privacyStatus: z.enum(['public', 'unlisted', 'private']) }),
  statistics: z
    .object({
      viewCount: z
        .string()
        .regex(/^\d{1,15}$/)
        .optional(),
    })
    .default({}),
});
export const VideosResponse = z.object({ items: z.array(Video).max(50).default([]) });

/** The parsed response. Throws SERVICE_UNAVAILABLE for an unexpected shape. */
export function readResponse<T>(shape: z.ZodType<T>, text: string): T {
  try {
    return shape.parse(JSON.parse(text));
  } catch (error) {
    throw notUnderstood(error);
  }
}

/** For a response in an undocumented form. */
export function notUnderstood(cause?: unknown): AppError {
  return new AppError('SERVICE_UNAVAILABLE', t`YouTube answered something that this server does not understand.`, {
    suggestedFix: t`Repeat the request later; if it fails again, tell the operator.`,
    cause,
  });
}

export function channelOf({ items: [item] }: z.infer<typeof ChannelsResponse>): SiteChannel | null {
  if (!item) return null;
  return {
    id: item.id,
    title: item.snippet.title,
    thumbnailUrl: widest(item.snippet.thumbnails),
    uploadsPlaylistId: item.contentDetails.relatedPlaylists.uploads,
  };
}

export function videoOf(video: z.infer<typeof Video>): SiteVideo {
  const { id, snippet, contentDetails, status, statistics } = video;
  const lengthMs = durationMs(contentDetails.duration);
  return {
    id,
    title: snippet.title,
    description: snippet.description,
    tags: snippet.tags,
    publishedAt: snippet.publishedAt === undefined ? null : new Date(snippet.publishedAt).toISOString(),
    durationMs: lengthMs,
    duration: lengthMs === null ? null : contentDetails.duration,
    viewCount: statistics.viewCount === undefined ? null : Number(statistics.viewCount),
    channelTitle: snippet.channelTitle ?? null,
    thumbnailUrl: widest(snippet.thumbnails),
    privacyStatus: status.privacyStatus.toUpperCase() as SitePrivacyStatus, // the shape allows these three
    isLive: snippet.liveBroadcastContent !== 'none',
    url: siteVideoUrl(id),
  };
}

/**
 * Milliseconds of an ISO 8601 duration such as PT1H2M3S or P1DT2H; null for anything else, and for the P0D of streams.
 */
export function durationMs(text: string): number | null {
  const found = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(text);
  if (!found) return null;
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = found.slice(1).map((part) => Number(part ?? 0));
  const total = (((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60 + seconds;
  return total > 0 ? total * 1_000 : null;
}

/** The https address of the widest image. */
function widest(thumbnails: z.infer<typeof Thumbnails>): string | null {
  const usable = Object.values(thumbnails).filter(({ url }) => /^https?:\/\//.test(url));
  const [best] = usable.sort((a, b) => (b.width ?? 0) - (a.width ?? 0));
  return best?.url ?? null;
}
