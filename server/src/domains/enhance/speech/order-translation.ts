import type { CommandContext } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import type { ContentId, JobId } from '../../../kernel/ids.ts';
import { readLanguageTag } from '../../../kernel/language-tags.ts';
import { t } from '../../../kernel/languages/message.ts';
import { type Cue, readCaptionsFile } from '../../../media/index.ts';
import type { Config } from '../../../platform/config/config.ts';
import type { Executor, Transaction } from '../../../platform/db/database.ts';
import { creditsFor, lockContentOfVideo, newestVideoAsset } from '../../assets/index.ts';
import type { ProcessingEstimate } from '../../transcode/index.ts';
import { captionJobsOfContent } from './caption-jobs.store.ts';
import { readTranslationLoad } from './caption-load.store.ts';
import { type CaptionsSource, captionsSourceIn } from './caption-sources.store.ts';
import { type CaptionOrderTools, isUnderWay, orderCaptions } from './order-transcription.ts';

/** Languages of a translation, as BCP 47 tags. */
export interface TranslationLanguages {
  readonly from: string;
  readonly to: string;
}

/** @throws AppError INVALID_INPUT where nothing is set up, or for languages that are not two. */
export function readTranslation(
  config: Pick<Config, 'TRANSLATION'>,
  input: { readonly from: string; readonly to: string },
): TranslationLanguages {
  if (config.TRANSLATION === 'off') throw translationNotSetUp();
  const from = readLanguageTag(input.from, 'input.from');
  const to = readLanguageTag(input.to, 'input.to');
  if (from === to)
    throw new AppError('INVALID_INPUT', t`Captions are not translated into their own language.`, {
      field: 'input.to',
      suggestedFix: t`Send another language.`,
    });
  return { from, to };
}

/**
 * Has captions of a content translated, in the caller's transaction. Idempotent: returns the job that waits, runs or
 * has made those that are there, unless they are to be made again.
 * @throws AppError INVALID_INPUT where there are none in that language, no video, or too few credits.
 */
export async function startTranslation(
  tools: CaptionOrderTools,
  tx: Transaction,
  { contentId, from, to, again }: TranslationLanguages & { readonly contentId: ContentId; readonly again: boolean },
): Promise<JobId> {
  const content = await lockContentOfVideo(tx, contentId);
  if (!content) throw new AppError('RESOURCE_NOT_FOUND', undefined, { field: 'id' });
  const source = await requireSource(tx, contentId, from);
  const videoAssetId = await newestVideoAsset(tx, contentId);
  if (videoAssetId === null)
    throw new AppError('INVALID_INPUT', t`This content has no video.`, {
      field: 'id',
      suggestedFix: t`Upload its video first.`,
    });
  const jobs = (await captionJobsOfContent(tx, contentId)).filter(
    (job) => job.kind === 'TRANSLATION' && job.language === to && job.sourceId === source.id,
  );
  const present = jobs.find(isUnderWay) ?? (again ? undefined : jobs.find(({ isKept }) => isKept));
  if (present) return present.jobId as JobId;
  const job = { videoAssetId, kind: 'TRANSLATION', language: to, sourceId: source.id } as const;
  const { channelId } = content;
  const credits = translationCredits(readCues(source));
  return orderCaptions(tools, tx, { contentId, channelId, credits, field: 'id' }, job);
}

/** What a translation of captions would take if it were ordered now. @throws AppError as `startTranslation`. */
export async function estimateTranslation(
  { services }: Pick<CommandContext, 'services'>,
  contentId: string,
  { from }: TranslationLanguages,
): Promise<ProcessingEstimate> {
  const { db } = services.assets;
  const source = await requireSource(db, contentId, from);
  const cues = readCues(source);
  const readyMs = cues.length * TRANSLATION_COST_MS * (await readTranslationLoad(db));
  return {
    ...{ cpuMs: 0, sizeBytes: Buffer.byteLength(source.vtt), readyInMs: Math.ceil(readyMs) },
    credits: translationCredits(cues),
  };
}

function readCues({ vtt }: Pick<CaptionsSource, 'vtt'>): Cue[] {
  return readCaptionsFile(vtt, Number.POSITIVE_INFINITY);
}

/** Credits that a translation takes, by the end of the last cue. */
function translationCredits(cues: readonly Cue[]): number {
  return creditsFor(
    { kind: 'TRANSLATION' },
    cues.reduce((end, { endMs }) => Math.max(end, endMs), 0),
  );
}

/** Of a cue, by a service that has not been measured. */
export const TRANSLATION_COST_MS = 250;

async function requireSource(db: Executor, contentId: string, from: string): Promise<CaptionsSource> {
  const source = await captionsSourceIn(db, contentId, from);
  if (source) return source;
  throw new AppError('INVALID_INPUT', t`This content has no captions in this language (${from}) to translate.`, {
    field: 'input.from',
    suggestedFix: t`content.captions lists what there is; transcribeContent and createContentCaptions add some.`,
  });
}

/** The error where the operator has set nothing up that translates. Repeating the request does not help. */
export function translationNotSetUp(): AppError {
  return new AppError('INVALID_INPUT', t`Translation of captions is not set up on this server.`, {
    suggestedFix: t`Add translations with createContentCaptions. The operator can set TRANSLATION; see the guide
      /docs/guides/captions.`,
  });
}
