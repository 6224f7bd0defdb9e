import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Maybe } from '../../../kernel/maybe.ts';
import { authorize } from '../../../kernel/policy.ts';
import { readText } from '../../../kernel/text.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { newestVideoUpload } from '../../ingest/index.ts';
import {
  newestTranscodeJob,
  type ProcessingState,
  type StartedProcessing,
  startProcessing,
} from '../../transcode/index.ts';
import { CHANNEL_CONTENT, CONTENT_ACTIONS, CONTENT_CHANGE, checkHasVideo } from '../contents/content.policy.ts';
import type { ContentTarget } from '../contents/content-commands.store.ts';
import type { ContentLayout } from '../contents/content-fields.ts';
import { type Release, readRelease } from '../contents/content-input.ts';
import {
  contentStatus,
  type FoundContent,
  findContent,
  lockContent,
  setProcessingPlan,
} from '../contents/contents.store.ts';
import { enhanceIfRequested } from '../enhancement/enhance-video.ts';
import { requestEnhancement } from '../enhancement/enhancement.store.ts';
import type { Actor, CatalogServices } from '../services.ts';
import { publishIfRequested } from './publication.store.ts';
import { checkVideoUpload } from './video-upload.policy.ts';

export interface SubmitInput {
  readonly assetName?: Maybe<string>;
  readonly layout?: Maybe<ContentLayout>;
  /** Whether a processed video is processed again; by default that of a published content is. */
  readonly again?: Maybe<boolean>;
  /** Whether the video is enhanced once it is processed; absent: as requested before. */
  readonly enhance?: Maybe<boolean>;
}

/**
 * Starts processing the newest video of the account's content, or the one with this asset name. Idempotent, but for a
 * published content, which is played as it is until its video has been processed again.
 * @throws AppError for the content, its state, and a missing or unfinished upload.
 */
export function submitContent(
  tools: CatalogServices,
  actor: Actor,
  content: ContentTarget,
  { assetName, layout, again, enhance }: SubmitInput,
): Promise<StartedProcessing> {
  return tools.db.transaction(async (tx) => {
    const locked = await lockContent(tx, content, actor.scope);
    const isAgain = again ?? locked?.status === 'PUBLISHED';
    const found = requireProcessable(locked, content, 'id', isAgain ? 'processAgain' : 'process');
    if (enhance != null) await requestEnhancement(tx, found.id, enhance);
    const started = await startWithUpload(tools, tx, found, {
      assetName: assetName == null ? null : readText(assetName, { field: 'input.assetName', maxLength: 255 }),
      layout: layout ?? null,
      again: isAgain,
      field: assetName == null ? 'id' : 'input.assetName',
    });
    await enhanceIfRequested(tools, tx, found.id);
    return started;
  });
}

export interface FinalizeInput {
  readonly layout?: Maybe<ContentLayout>;
  /** Absent: the value set when the content was created. */
  readonly publish?: Maybe<boolean>;
  /** Unix milliseconds; null clears the date set when the content was created. */
  readonly releaseMs?: Maybe<number>;
  /** As of `SubmitInput`. */
  readonly enhance?: Maybe<boolean>;
}

/** Result of finalizing. */
export interface FinalizedUpload {
  readonly jobId: string | null;
  readonly published: boolean;
}

/**
 * Declares the upload of a content complete and starts processing, and publication if requested. Idempotent: running or
 * finished processing is unchanged, and a published content stays published.
 * @throws AppError for the content, and INVALID_INPUT naming the missing bytes of an upload that is not finished.
 */
export function finalizeUpload(
  tools: CatalogServices,
  actor: Actor,
  content: ContentTarget,
  input: FinalizeInput,
): Promise<FinalizedUpload> {
  const nowMs = tools.clock.now();
  const field = 'input.contentId';
  const release = readRelease(input.releaseMs, nowMs, 'input.releaseDate');
  const publishWhenReady = readPublishWhenReady(input, release);
  return tools.db.transaction(async (tx) => {
    const locked = await lockContent(tx, content, actor.scope);
    authorize(CONTENT_CHANGE, locked, field);
    const none = checkHasVideo(content.kind, field);
    if (none) throw none;
    if (input.enhance != null) await requestEnhancement(tx, locked.id, input.enhance);
    if (locked.status === 'PUBLISHED') {
      await enhanceIfRequested(tools, tx, locked.id);
      return { jobId: (await newestTranscodeJob(tx, locked.id))?.id ?? null, published: true };
    }
    const found = requireProcessable(locked, content, field);
    const releaseAt = input.releaseMs === undefined ? undefined : release.releaseAt;
    await setProcessingPlan(tx, found.id, { layout: input.layout ?? null, publishWhenReady, releaseAt }, nowMs);
    const { jobId } = await startWithUpload(tools, tx, found, { assetName: null, layout: input.layout ?? null, field });
    await enhanceIfRequested(tools, tx, found.id);
    await publishIfRequested(tx, found.id, nowMs);
    return { jobId, published: (await contentStatus(tx, found.id)) === 'PUBLISHED' };
  });
}

/** Waits until processing of a content in the account's channels has ended, at most `timeoutSeconds`. */
export async function waitForContent(
  tools: CatalogServices,
  actor: Actor,
  content: ContentTarget,
  options: { timeoutSeconds?: Maybe<number>; signal: AbortSignal },
): Promise<ProcessingState> {
  const found = await findContent(tools.db, content, actor.scope);
  authorize(CHANNEL_CONTENT, found, 'input.contentId');
  return tools.waiter.wait(found.id, { timeoutSeconds: options.timeoutSeconds ?? null, signal: options.signal });
}

function requireProcessable(
  found: FoundContent | null,
  { kind }: ContentTarget,
  field: string,
  action: 'process' | 'processAgain' = 'process',
): FoundContent {
  authorize(CONTENT_ACTIONS[action], found, field);
  const none = checkHasVideo(kind, field);
  if (none) throw none;
  return found;
}

/** A future date without `publish` implies publication. */
function readPublishWhenReady({ publish }: FinalizeInput, { releaseAt }: Release): boolean | null {
  if (publish === false && releaseAt !== null) {
    throw new AppError('INVALID_INPUT', t`A release date is given, but publish is false.`, {
      field: 'input.releaseDate',
      suggestedFix: t`Omit one of them.`,
    });
  }
  return publish ?? (releaseAt === null ? null : true);
}

interface UploadChoice {
  readonly assetName: string | null;
  readonly layout: ContentLayout | null;
  readonly again?: boolean;
  readonly field: string;
}

/** A fetched video has no upload: then the job that fetched it is returned. */
async function startWithUpload(
  tools: CatalogServices,
  tx: Transaction,
  content: FoundContent,
  { assetName, layout, field, again = false }: UploadChoice,
): Promise<StartedProcessing> {
  const upload = await newestVideoUpload(tx, content.id, assetName);
  if (assetName !== null && !upload) {
    throw new AppError('INVALID_INPUT', t`This content has no video upload with that asset name.`, {
      field,
      suggestedFix: t`Send tus.filename of the IngestionSession, or omit assetName to use the newest.`,
    });
  }
  const refused = upload && checkVideoUpload(upload, field);
  if (refused) throw refused;
  return startProcessing(tools, tx, {
    contentId: content.id,
    layout,
    field,
    again,
    ...(upload?.videoAssetId ? { videoAssetId: upload.videoAssetId } : {}),
  });
}
