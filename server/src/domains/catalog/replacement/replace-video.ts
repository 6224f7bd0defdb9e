import { AppError } from '../../../kernel/errors.ts';
import { plural, type Text, t } from '../../../kernel/languages/message.ts';
import type { Maybe } from '../../../kernel/maybe.ts';
import { authorize } from '../../../kernel/policy.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import type { VideoPresentation } from '../../assets/index.ts';
import type { OpenedIngestion } from '../../ingest/index.ts';
import { isUnderWay, newestTranscodeJob } from '../../transcode/index.ts';
import { shownChapters } from '../chapters/chapters.ts';
import { CONTENT_ACTIONS, checkHasVideo } from '../contents/content.policy.ts';
import type { ContentTarget } from '../contents/content-commands.store.ts';
import { type FoundContent, lockContent } from '../contents/contents.store.ts';
import { checkSource, startSource } from '../publication/publish-video.ts';
import { readVideoSource } from '../publication/video-source.ts';
import type { Actor, CatalogServices } from '../services.ts';
import { type TimedTexts, timedTextsOf } from './replacement.store.ts';

export interface ReplaceVideoInput {
  readonly sourceUrl?: Maybe<string>;
  readonly filename?: Maybe<string>;
  readonly size?: Maybe<number>;
  /** Default: as of the video that is replaced. */
  readonly videoHint?: Maybe<VideoPresentation>;
}

export interface StartedReplacement {
  readonly jobId: string;
  /** Null where the server fetches the file. */
  readonly upload: OpenedIngestion | null;
  /** What may no longer fit the new video. */
  readonly warnings: readonly Text[];
}

/**
 * Opens the upload of another file for a content that is ready or published, or whose video failed, or queues fetching
 * it; processing follows. The content is unchanged, and its video is played until the new one can be. A replacement
 * that fails or is cancelled changes nothing.
 * @throws AppError for the content, its state, the source and the size; INVALID_INPUT while its video is processed.
 */
export async function replaceVideo(
  tools: CatalogServices,
  actor: Actor,
  content: ContentTarget,
  input: ReplaceVideoInput,
): Promise<StartedReplacement> {
  const source = readVideoSource(input);
  if (source.kind === 'url') await checkSource(tools, source.url);
  return tools.db.transaction(async (tx) => {
    const { id: contentId, channelId } = await lockReplaceable(tx, actor, content);
    const texts = await timedTextsOf(tx, contentId);
    const presentation = input.videoHint ?? null;
    const hint = presentation === null || presentation === 'NONE' ? (texts.hint ?? 'LANDSCAPE_VIDEO') : presentation;
    const started = await startSource(tools, tx, actor, { contentId, channelId, hint }, source);
    return { ...started, warnings: warningsAbout(texts) };
  });
}

/** The content, locked, if the account may replace its video and nothing processes it. @throws AppError otherwise. */
export async function lockReplaceable(tx: Transaction, actor: Actor, content: ContentTarget): Promise<FoundContent> {
  const found: FoundContent | null = await lockContent(tx, content, actor.scope);
  authorize(CONTENT_ACTIONS.replaceVideo, found, 'id');
  const none = checkHasVideo(content.kind, 'id');
  if (none) throw none;
  const job = await newestTranscodeJob(tx, found.id);
  if (job && (job.status === 'IDLE' || isUnderWay(job)))
    throw new AppError('INVALID_INPUT', t`The video of this content is being processed or replaced.`, {
      field: 'id',
      suggestedFix: t`Wait until waitForProcessing returns COMPLETE, or cancel its job (content.transcodeJob) with
        cancelJob.`,
    });
  return found;
}

function warningsAbout({ captions, chapters, summary, durationMs }: TimedTexts): Text[] {
  const shown = shownChapters({ set: chapters, description: summary, durationMs });
  const aboutCaptions = t`${plural(captions, { one: '# captions file was', other: '# captions files were' })}
    made for the present video and may not fit the new one. Check their times.`;
  return [
    ...(captions > 0 ? [aboutCaptions] : []),
    ...(shown.length > 0
      ? [t`The chapters were made for the present video and may not fit the new one. Check their times.`]
      : []),
  ];
}
