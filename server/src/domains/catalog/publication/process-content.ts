import { AppError } from '../../../kernel/errors.ts';
import type { Maybe } from '../../../kernel/maybe.ts';
import { authorize } from '../../../kernel/policy.ts';
import { readText } from '../../../kernel/text.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import {
  newestTranscodeJob,
  newestVideoUpload,
  type ProcessingState,
  type StartedProcessing,
  startProcessing,
} from '../../assets/index.ts';
import { CONTENT_ACTIONS, CONTENT_CHANGE, judgeHasVideo } from '../contents/content.policy.ts';
import type { ContentTarget } from '../contents/content-commands.store.ts';
import type { ContentLayout } from '../contents/content-fields.ts';
import { type Release, readRelease } from '../contents/content-input.ts';
import { contentStatus, type FoundContent, findContent, lockContent, wishForContent } from '../contents/contents.store.ts';
import type { Actor, CatalogServices } from '../services.ts';
import { publishIfAsked } from './publication.store.ts';
import { judgeVideoUpload } from './video-upload.policy.ts';

/**
 * Starts processing the newest video of an own content, or the one with this asset name. Called again it changes nothing.
 * @throws AppError for the content, its state, and an upload that is not there or not finished.
 */
export function submitContent(
  tools: CatalogServices,
  actor: Actor,
  content: ContentTarget,
  { assetName, layout }: { assetName?: Maybe<string>; layout?: Maybe<ContentLayout> },
): Promise<StartedProcessing> {
  return tools.db.transaction(async (tx) => {
    const found = requireProcessable(await lockContent(tx, content, actor.accountId), content, 'id');
    return startWithUpload(tools, tx, found, {
      assetName: assetName == null ? null : readText(assetName, { field: 'input.assetName', maxLength: 255 }),
      layout: layout ?? null,
      field: assetName == null ? 'id' : 'input.assetName',
    });
  });
}

export interface FinalizeInput {
  readonly layout?: Maybe<ContentLayout>;
  /** Absent: as it was said when the content was made. */
  readonly publish?: Maybe<boolean>;
  /** Unix milliseconds. */
  readonly releaseMs: number | null;
}

/** What finalizing found or started. */
export interface FinalizedUpload {
  readonly jobId: string | null;
  readonly published: boolean;
}

/**
 * Says that the upload of a content is complete and what should follow: processing, and publication if asked. Idempotent: processing that
 * runs or is done is left alone, and a content that is published stays so.
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
  const wish = readWish(input, release);
  return tools.db.transaction(async (tx) => {
    const locked = await lockContent(tx, content, actor.accountId);
    authorize(CONTENT_CHANGE, locked, field);
    const none = judgeHasVideo(content.kind, field);
    if (none) throw none;
    if (locked.status === 'PUBLISHED') return { jobId: (await newestTranscodeJob(tx, content.id))?.id ?? null, published: true };
    const found = requireProcessable(locked, content, field);
    await wishForContent(tx, found.id, { layout: input.layout ?? null, publishWhenReady: wish, releaseAt: release.releaseAt }, nowMs);
    const { jobId } = await startWithUpload(tools, tx, found, { assetName: null, layout: input.layout ?? null, field });
    await publishIfAsked(tx, found.id, nowMs);
    return { jobId, published: (await contentStatus(tx, found.id)) === 'PUBLISHED' };
  });
}

/** Waits until processing of an own content has ended, at most `timeoutSeconds`. */
export async function waitForContent(
  tools: CatalogServices,
  actor: Actor,
  content: ContentTarget,
  options: { timeoutSeconds?: Maybe<number>; signal: AbortSignal },
): Promise<ProcessingState> {
  const found = await findContent(tools.db, content, actor.accountId);
  authorize(CONTENT_CHANGE, found, 'input.contentId');
  return tools.waiter.wait(found.id, { timeoutSeconds: options.timeoutSeconds ?? null, signal: options.signal });
}

function requireProcessable(found: FoundContent | null, { kind }: ContentTarget, field: string): FoundContent {
  authorize(CONTENT_ACTIONS.process, found, field);
  const none = judgeHasVideo(kind, field);
  if (none) throw none;
  return found;
}

/** A date to come without `publish` means that publication is wanted. */
function readWish({ publish }: FinalizeInput, { releaseAt }: Release): boolean | null {
  if (publish === false && releaseAt !== null) {
    throw new AppError('INVALID_INPUT', 'A release date is given, but publish is false.', {
      field: 'input.releaseDate',
      suggestedFix: 'Leave one of them out.',
    });
  }
  return publish ?? (releaseAt === null ? null : true);
}

/** A video that was fetched has no upload: then the job that fetched it is the one to answer. */
async function startWithUpload(
  tools: CatalogServices,
  tx: Transaction,
  content: FoundContent,
  { assetName, layout, field }: { assetName: string | null; layout: ContentLayout | null; field: string },
): Promise<StartedProcessing> {
  const upload = await newestVideoUpload(tx, content.id, assetName);
  if (assetName !== null && !upload) {
    throw new AppError('INVALID_INPUT', 'This content has no video upload with that asset name.', {
      field,
      suggestedFix: 'Send tus.filename of the IngestionSession, or leave assetName out to take the newest.',
    });
  }
  const refused = upload && judgeVideoUpload(upload, field);
  if (refused) throw refused;
  return startProcessing(tools, tx, {
    contentId: content.id,
    layout,
    field,
    ...(upload?.videoAssetId ? { videoAssetId: upload.videoAssetId } : {}),
  });
}
