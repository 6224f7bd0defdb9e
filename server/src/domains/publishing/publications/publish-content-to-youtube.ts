import type { ViewerScope } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import { t } from '../../../kernel/languages/message.ts';
import { authorize } from '../../../kernel/policy.ts';
import { CONTENT_CHANGE, type ContentTarget } from '../../catalog/index.ts';
import { type SourceDownload, sourceDownloadOf } from '../../delivery/index.ts';
import type { SiteAccess, SitePrivacyStatus } from '../site/external-site.ts';
import { siteVideoUrl } from '../site/site-addresses.ts';
import type { PublishTools } from './end-publication.ts';
import { activePublishJob, insertPublishJob, publishedVideoId } from './publish-jobs.store.ts';
import { publishToYouTubeJob } from './publish-to-youtube.job.ts';
import { findPublishable, lockPublishable, type PublishableContent } from './publishable-content.store.ts';

export interface ElsewhereRequest {
  readonly content: ContentTarget;
  readonly accountId: string;
  readonly viewer: ViewerScope;
  readonly privacyStatus: SitePrivacyStatus;
}

/**
 * Requests the publication of a content on the site; returns the job. While one is running it is returned, whatever its
 * privacy. An already published video is published again only when it was deleted on the site, which is checked.
 * @throws AppError for the content, a video that is not ready or is audio only, a connection that may not upload, and
 *   RESOURCE_ALREADY_EXISTS.
 */
export async function publishContentToYouTube(tools: PublishTools, request: ElsewhereRequest): Promise<string> {
  const { db } = tools.platform;
  const { content, accountId, viewer } = request;
  requireOwn(await findPublishable(db, content, viewer));
  const active = await activePublishJob(db, content.id);
  if (active) return active;
  const access = requireUploads(await tools.access(accountId));
  const siteChannelId = access.channelId;
  const file = requireFile(await sourceDownloadOf(tools.platform, content.id, 'id'));
  const earlier = await publishedVideoId(db, content.id, siteChannelId);
  if (earlier) await requireGone(tools, access, earlier);
  return db.transaction(async (tx) => {
    const { channelId } = requireOwn(await lockPublishable(tx, content, viewer));
    const other = await activePublishJob(tx, content.id);
    if (other) return other;
    const latest = await publishedVideoId(tx, content.id, siteChannelId);
    if (latest !== null && latest !== earlier) throw alreadyThere(latest);
    const id = newId<'youtube-publish-job'>(tools.platform.clock.now());
    const { hasVideo: _, ...sent } = file;
    const job = {
      id,
      contentId: content.id,
      channelId,
      accountId,
      siteChannelId,
      privacyStatus: request.privacyStatus,
      ...sent,
    };
    await insertPublishJob(tx, job, new Date(tools.platform.clock.now()).toISOString());
    await tools.platform.jobs.send(tx, publishToYouTubeJob, { jobId: id });
    return id;
  });
}

function requireOwn(found: PublishableContent | null): PublishableContent {
  authorize(CONTENT_CHANGE, found, 'id');
  if (found.isTest)
    throw new AppError('INVALID_INPUT', t`This content is test data, which is not published elsewhere.`, {
      field: 'id',
      suggestedFix: t`Publish a content that was not made with a test token.`,
    });
  return found;
}

function requireUploads(access: SiteAccess): SiteAccess {
  if (access.hasUploadScope) return access;
  throw new AppError('UNAUTHORIZED', t`YouTube is connected, but not for uploads.`, {
    suggestedFix: t`Reconnect YouTube on the settings page, and allow uploads.`,
  });
}

function requireFile(file: SourceDownload | null): SourceDownload {
  if (!file) {
    throw new AppError('INVALID_INPUT', t`This content has no video that is ready to publish.`, {
      field: 'id',
      suggestedFix: t`Upload a video and wait until the content is READY or PUBLISHED; of a series, publish the
        episodes.`,
    });
  }
  if (file.hasVideo) return file;
  throw new AppError('INVALID_INPUT', t`This content is audio only, which YouTube does not accept.`, {
    field: 'id',
    suggestedFix: t`Upload a video with a picture, for example a still image, and publish that.`,
  });
}

/** A video that was deleted on the site may be published again. */
async function requireGone({ uploads }: PublishTools, access: SiteAccess, videoId: string): Promise<void> {
  const found = await uploads.processing(access, videoId);
  if (found.kind !== 'gone') throw alreadyThere(videoId);
}

function alreadyThere(videoId: string): AppError {
  return new AppError('RESOURCE_ALREADY_EXISTS', t`This content is already on YouTube: ${siteVideoUrl(videoId)}`, {
    field: 'id',
    suggestedFix: t`Change the video on YouTube, or delete it there and call publishContentToYouTube again.`,
  });
}
