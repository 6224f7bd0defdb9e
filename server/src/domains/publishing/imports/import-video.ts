import type { CommandContext } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Maybe } from '../../../kernel/maybe.ts';
import { type ContentLayout, importContent, readRelease } from '../../catalog/index.ts';
import { authorizeChannel, requireAccount } from '../../channels/index.ts';
import { newestTranscodeJob } from '../../transcode/index.ts';
import { downloadVideoJob, importPosterJob } from '../publications/publishing.jobs.ts';
import { readSiteAccess, requireYouTube } from '../services.ts';
import { isVideoId, type SiteVideo } from '../site/external-site.ts';
import { importedTexts } from './imported-texts.ts';
import { insertImport, lockImport } from './imports.store.ts';

/** Result of importing a video. */
export interface ImportedVideo {
  readonly content: string;
  readonly job: string | null;
  /** Whether it is published already. */
  readonly published: boolean;
  /** Whether it was imported before; then nothing has changed. */
  readonly alreadyImported: boolean;
  /** Whether the file must be uploaded. */
  readonly needsFile: boolean;
}

/** Options of an import. */
export interface ImportOptions {
  readonly publish: boolean;
  readonly layout: ContentLayout;
  /** Unix milliseconds; null for its publication date on the site. */
  readonly releaseMs: number | null;
}

export const DRAFT_OPTIONS: ImportOptions = { publish: false, layout: 'LANDSCAPE', releaseMs: null };

/** The channel that a video is imported into. Throws what the viewer's role in it does not allow, with `field`. */
export async function readImportChannel(
  context: CommandContext,
  channel: Maybe<string>,
  field: string,
): Promise<string> {
  const { scope, channelId, token } = requireAccount(context);
  context.requirePermission('content:create');
  // Everyone is the owner of their own channel; a token may act for another one by default.
  if (channel == null && !token) return channelId;
  const id = channel == null ? channelId : context.parseDid(channel, ['channel'], field).id;
  await authorizeChannel(context.services.catalog.db, {
    channelId: id,
    viewer: scope,
    permission: 'content:create',
    field,
  });
  return id;
}

export interface ImportRequest {
  readonly videoId: string;
  readonly channel: Maybe<string>;
  readonly options: ImportOptions;
  /** How the caller spells its arguments, for errors. */
  readonly fields: { readonly videoId: string; readonly channel: string; readonly releaseDate: string };
}

/**
 * Imports a video of the connected channel as a content.
 * @throws AppError for the channel and the connection, RESOURCE_NOT_FOUND for a missing video or one of another
 *   channel, INVALID_INPUT for a live stream, and for publication where this server cannot fetch the file.
 */
export async function importVideo(
  context: CommandContext,
  { videoId, channel, options, fields }: ImportRequest,
): Promise<ImportedVideo> {
  const { publishing } = context.services;
  if (!isVideoId(videoId)) throw notAVideo(fields.videoId);
  const channelId = await readImportChannel(context, channel, fields.channel);
  const { site } = requireYouTube(publishing);
  if (options.publish && !publishing.canDownload) throw cannotDownload();
  readRelease(options.releaseMs, context.nowMs, fields.releaseDate);
  const access = await readSiteAccess(publishing, requireAccount(context).accountId);
  const video = await site.readVideo(access, videoId);
  if (!video) throw noSuchVideo(fields.videoId);
  return takeOver(context, { video, siteChannelId: access.channelId, channelId, options, field: fields.videoId });
}

export interface TakeOver {
  readonly video: SiteVideo;
  readonly siteChannelId: string;
  readonly channelId: string;
  readonly options: ImportOptions;
  /** The caller's argument name for the video, for errors. */
  readonly field: string;
}

/**
 * Creates the content of a video from its metadata unless the channel already has one, in one transaction with the jobs
 * for image and file.
 */
export async function takeOver(
  context: CommandContext,
  { video, siteChannelId, channelId, options, field }: TakeOver,
): Promise<ImportedVideo> {
  if (video.isLive) throw stillLive(field);
  const { catalog, publishing } = context.services;
  return catalog.db.transaction(async (tx) => {
    const earlier = await lockImport(tx, channelId, video.id);
    if (earlier) {
      const job = (await newestTranscodeJob(tx, earlier.contentId))?.id ?? null;
      return {
        content: earlier.contentId,
        job,
        published: earlier.isPublished,
        alreadyImported: true,
        needsFile: earlier.needsFile,
      };
    }
    const { contentId, jobId } = await importContent(catalog, tx, {
      ...importedTexts(video),
      channelId,
      visibility: video.privacyStatus,
      layout: options.layout,
      releaseAt: readRelease(options.releaseMs, context.nowMs, field).releaseAt ?? video.publishedAt,
      publishWhenReady: options.publish,
      source: publishing.canDownload ? { job: downloadVideoJob, url: video.url, field } : null,
    });
    await insertImport(tx, { contentId, videoId: video.id, siteChannelId, nowIso: context.nowIso });
    if (video.thumbnailUrl !== null)
      await catalog.jobs.send(tx, importPosterJob, { contentId, url: video.thumbnailUrl });
    return { content: contentId, job: jobId, published: false, alreadyImported: false, needsFile: jobId === null };
  });
}

function notAVideo(field: string): AppError {
  return new AppError('INVALID_INPUT', t`This is not the identifier of a video at YouTube.`, {
    field,
    suggestedFix: t`Send the 11 characters after "v=" in its address, or an id of youtubeVideos.`,
  });
}

function noSuchVideo(field: string): AppError {
  return new AppError('RESOURCE_NOT_FOUND', t`The connected YouTube channel has no such video.`, {
    field,
    suggestedFix: t`Use an id from youtubeVideos; only the connected channel's own videos can be imported.`,
  });
}

function stillLive(field: string): AppError {
  return new AppError('INVALID_INPUT', t`This is a running or upcoming live stream; it has no video yet.`, {
    field,
    suggestedFix: t`Import it when it has ended and YouTube has processed it.`,
  });
}

/**
 * Files that the site does not provide are uploaded. `field`: an option that can be left out; without one, nothing that
 * was sent is wrong.
 */
export function cannotDownload(field?: string): AppError {
  return new AppError(
    field === undefined ? 'SERVICE_UNAVAILABLE' : 'INVALID_INPUT',
    t`This server does not fetch files from YouTube, so the video cannot be published automatically.`,
    {
      ...(field === undefined ? { retryable: false } : { field }),
      suggestedFix: t`Call createContentFromYouTube, upload the file with createContentAsset and call
        finalizeContentUpload; or ask the operator to set YOUTUBE_DOWNLOADER.`,
    },
  );
}
